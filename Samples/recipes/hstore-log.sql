-- The log of notes as older triggers keep it: the row before and the fields that changed, in PostgreSQL's hstore.

create extension hstore;

create table logged_actions (
    event_id bigserial primary key,
    schema_name text not null,
    table_name text not null,
    relid oid not null,
    session_user_name text,
    action_tstamp_tx timestamptz not null,
    action_tstamp_stm timestamptz not null,
    action_tstamp_clk timestamptz not null,
    transaction_id bigint,
    application_name text,
    client_addr inet,
    client_port integer,
    client_query text,
    action text not null,
    row_data hstore,
    changed_fields hstore,
    statement_only boolean not null
);

create function log_action() returns trigger language plpgsql as $$
begin
    insert into logged_actions values (default, tg_table_schema, tg_table_name, tg_relid, current_setting('app.user'),
        transaction_timestamp(), statement_timestamp(), clock_timestamp(), txid_current(), 'notes', inet_client_addr(), inet_client_port(),
        current_query(), left(tg_op, 1), hstore(case when tg_op = 'INSERT' then new else old end),
        case when tg_op = 'UPDATE' then hstore(new) - hstore(old) end, false);
    return null;
end $$;

create trigger log_action after insert or update or delete on notes for each row execute function log_action();
