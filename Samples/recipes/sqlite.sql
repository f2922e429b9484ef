-- A change log that says what each writer had seen. SQLite 3.38 or newer.
-- Copy all but the last statement, which is the example; sync_triggers makes the triggers of your tables.

create table change_log (
    seq integer primary key autoincrement,
    device text not null default 'server',
    n integer,
    ts text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    cursor integer,
    received text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    record_type text not null,
    record_id text not null,
    op text not null check (op in ('put', 'delete')),
    fields text check (fields is null or json_valid(fields)),
    applied integer not null default 1,
    unique (device, n)
);

-- Holds one row while an edit is made: who made it, when, and up to which seq the device had pulled by then.
create table sync_edit (
    device text not null,
    ts text not null check (strftime('%Y-%m-%dT%H:%M:%fZ', ts) is not null),
    cursor integer,
    one integer primary key default 1 check (one = 1)
);

create trigger change_log_fill after insert on change_log begin
    update change_log set (device, ts, cursor) = (select device, strftime('%Y-%m-%dT%H:%M:%fZ', ts), cursor from sync_edit)
    where seq = new.seq and exists (select 1 from sync_edit);
    update change_log set n = 1 + (select coalesce(max(n), 0) from change_log as other where other.device = change_log.device)
    where seq = new.seq;
end;

-- The lines for syncaudit: sqlite3 cards.db 'select line from sync_lines order by seq'
create view sync_lines as
select seq, json_remove(json_object(
    'event', 'write', 'ts', ts, 'device', device, 'n', n, 'received', received, 'hubSequence', seq,
    'recordType', record_type, 'recordID', record_id, 'op', op, 'fields', json(fields), 'cursor', cursor),
    iif(op = 'delete', '$.fields', '$.none'), iif(cursor is null, '$.cursor', '$.none')) as line
from change_log;

-- The triggers of all tables: sqlite3 cards.db 'select sql from sync_triggers' | sqlite3 cards.db
-- Again after a table has changed.
create view sync_triggers as
with forms(value) as (
    -- A value as JSON, where $ stands for the column: a real with 17 digits, a blob in hexadecimal.
    values ('case typeof($) when ''blob'' then json_quote(hex($)) when ''real'' then '
        || 'iif(abs($) < 9e999, printf(''%!.17g'', $), json_quote(cast($ as text))) else json_quote($) end')
), columns(tbl, pk, col, value) as (
    select t.name, c.pk, c.name, case upper(c.type)
        when 'BOOLEAN' then 'case $ when 1 then ''true'' when 0 then ''false'' else ' || forms.value || ' end'
        when 'JSON' then 'case when typeof($) = ''text'' and json_valid($) then json($) else ' || forms.value || ' end'
        else forms.value end
    from pragma_table_list as t, pragma_table_info(t.name) as c, forms
    where t.schema = 'main' and t.type = 'table' and t.name not in ('change_log', 'sync_edit') and t.name not like 'sqlite!_%' escape '!'
    order by t.name, c.pk
), tables(tbl, new_id, old_id, inserted, updated) as (
    select tbl,
        case sum(pk > 0)
            when 0 then 'cast(new.rowid as text)'
            when 1 then printf('cast(new."%w" as text)', max(col) filter (where pk > 0))
            else 'json_array(' || group_concat(printf('new."%w"', col), ', ') filter (where pk > 0) || ')' end,
        case sum(pk > 0)
            when 0 then 'cast(old.rowid as text)'
            when 1 then printf('cast(old."%w" as text)', max(col) filter (where pk > 0))
            else 'json_array(' || group_concat(printf('old."%w"', col), ', ') filter (where pk > 0) || ')' end,
        coalesce(group_concat(printf('(%Q, %s)', col, replace(value, '$', printf('new."%w"', col))), ', ')
            filter (where pk = 0), '(null, null)'),
        coalesce(group_concat(printf('(%Q, %s, %s)', col, replace(value, '$', printf('new."%w"', col)),
            replace(value, '$', printf('old."%w"', col))), ', ') filter (where pk = 0), '(null, null, null)')
    from columns group by tbl
), triggers(tbl, event, body) as (
    select tbl, 'insert', printf(
        'insert into change_log (record_type, record_id, op, fields) select %Q, %s, ''put'', json_group_object(column1, json(column2)) '
        || 'from (values %s) where column2 <> ''null'';', tbl, new_id, inserted) from tables
    union all
    -- A row with another key is another record.
    select tbl, 'update', printf(
        'insert into change_log (record_type, record_id, op) select %Q, %s, ''delete'' where %s <> %s; '
        || 'insert into change_log (record_type, record_id, op, fields) select %Q, %s, ''put'', fields '
        || 'from (select json_group_object(column1, json(column2)) as fields from (values %s) '
        || 'where column2 <> iif(%s = %s, column3, ''null'')) where fields <> ''{}'' or %s <> %s;',
        tbl, old_id, new_id, old_id, tbl, new_id, updated, new_id, old_id, new_id, old_id) from tables
    union all
    select tbl, 'delete', printf(
        'insert into change_log (record_type, record_id, op) values (%Q, %s, ''delete'');', tbl, old_id) from tables
)
select printf(
    'drop trigger if exists "%w_log_%s";
create trigger "%w_log_%s" after %s on "%w" begin %s end;',
    tbl, event, tbl, event, event, tbl, body) as sql
from triggers;

create table if not exists cards (
    id text primary key, name text, phone text, visits integer, rating double precision, vip boolean, extra json);
