-- A trigger that keeps of each change the row before and after it, by whom and when: what `syncaudit audit` needs to tell which edits were lost.
-- PostgreSQL 12 or newer. The table of notes is the example; give each table of yours the trigger at the end.

create table notes (id integer primary key, title text, body text, pinned boolean not null default false);

create table audit_log (
    id bigint generated always as identity primary key,
    table_name text not null,
    action text not null,
    old_row jsonb,
    new_row jsonb,
    changed_by text,
    changed_at timestamptz not null default clock_timestamp(),
    edited_at timestamptz
);

-- Before the statements of a request: who sent it, and how many seconds ago the edit was made.
create function acting(who text, seconds_ago integer) returns void language sql as $$
    select set_config('app.user', who, false), set_config('app.seconds_ago', seconds_ago::text, false);
$$;

create function audit() returns trigger language plpgsql as $$
begin
    insert into audit_log (table_name, action, old_row, new_row, changed_by, edited_at)
    values (tg_table_name, tg_op, to_jsonb(old), to_jsonb(new), current_setting('app.user', true),
        clock_timestamp() - make_interval(secs => nullif(current_setting('app.seconds_ago', true), '')::integer));
    return null;
end $$;

create trigger audit after insert or update or delete on notes for each row execute function audit();
