-- A change log that says what each writer had seen. PostgreSQL 12 or newer.
-- Copy all of it, then add the two triggers at the end to each of your tables.

create table change_log (
    seq bigint generated always as identity primary key,
    device text not null,
    n bigint not null,
    ts timestamptz not null check (ts >= '0001-01-01Z' and ts < '10000-01-01Z'),
    cursor bigint,
    received timestamptz not null,
    record_type text not null,
    record_id text not null,
    op text not null check (op in ('put', 'delete')),
    fields jsonb,
    applied boolean not null default true,
    unique (device, n)
);

-- Called in the transaction of each edit, before it: who made it, when, and up to which seq the device had pulled by then.
create function sync_edit(device text, ts timestamptz, cursor bigint) returns void language sql as $$
    select set_config('sync.device', device, true), set_config('sync.ts', to_jsonb(ts) #>> '{}', true),
        set_config('sync.cursor', cursor::text, true)
$$;

-- One transaction at a time, from its first change to its commit: numbers are given in the order of commits, so that whoever
-- has pulled up to a number has everything below it.
create function sync_lock() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtext('change_log'));
    return null;
end
$$;

create function sync_fill() returns trigger language plpgsql set search_path from current as $$
begin
    new.device := coalesce(nullif(current_setting('sync.device', true), ''), 'server');
    new.ts := coalesce(nullif(current_setting('sync.ts', true), '')::timestamptz, clock_timestamp());
    new.cursor := nullif(current_setting('sync.cursor', true), '')::bigint;
    new.received := clock_timestamp();
    new.n := coalesce((select max(n) from change_log where device = new.device), 0) + 1;
    return new;
end
$$;

create trigger change_log_lock before insert on change_log for each statement execute function sync_lock();
create trigger change_log_fill before insert on change_log for each row execute function sync_fill();

-- The primary key as one string.
create function sync_id(content jsonb, key text[]) returns text language sql immutable as $$
    select case cardinality(key) when 1 then min(content ->> name) else jsonb_agg(content -> name order by position)::text end
    from unnest(key) with ordinality as columns(name, position)
$$;

-- Logs a row's change. The arguments are the columns of the primary key. Time zones do not change values.
create function sync_log() returns trigger language plpgsql set search_path from current set timezone = 'UTC' as $$
declare
    was jsonb := coalesce(to_jsonb(old), '{}');
    becomes jsonb := coalesce(to_jsonb(new), '{}');
    old_id text := sync_id(was, tg_argv);
    new_id text := sync_id(becomes, tg_argv);
    changed jsonb;
begin
    if old_id is distinct from new_id and tg_op <> 'INSERT' then
        insert into change_log (record_type, record_id, op) values (tg_table_name, old_id, 'delete');
        was := '{}';
    end if;
    if tg_op <> 'DELETE' then
        select jsonb_object_agg(key, value) into changed
        from jsonb_each(becomes - tg_argv) where value <> coalesce(was -> key, 'null');
        if changed is not null or was = '{}' then
            insert into change_log (record_type, record_id, op, fields) values (tg_table_name, new_id, 'put', coalesce(changed, '{}'));
        end if;
    end if;
    return null;
end
$$;

-- The lines for syncaudit: psql -qAtX -c 'select line from sync_lines order by seq'
create view sync_lines as
select seq, jsonb_strip_nulls(jsonb_build_object(
    'event', 'write', 'ts', to_char(ts at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'device', device, 'n', n,
    'received', to_char(received at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'hubSequence', seq,
    'recordType', record_type, 'recordID', record_id, 'op', op, 'cursor', cursor)) ||
    case op when 'put' then jsonb_build_object('fields', fields) else '{}' end as line
from change_log;

-- For each of your tables; the arguments of sync_log are the columns of its primary key.
create table if not exists cards (
    id text primary key, name text, phone text, visits integer, rating double precision, vip boolean, extra json);
create trigger cards_lock before insert or update or delete on cards for each statement execute function sync_lock();
create trigger cards_log after insert or update or delete on cards for each row execute function sync_log('id');
