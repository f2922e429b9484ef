-- A table that keeps its own history, and in each row who saved it and when the edit was made.
-- MariaDB 10.3 or newer. The history has no row of a delete: who removed a record is not known from it.

create table notes (
    id integer primary key, title text, body text, pinned boolean not null default false, edited_by varchar(40), edited_at timestamp(6) null
) with system versioning;

-- Before the statements of a request: who sent it, and how many seconds ago the edit was made.
create function acting(who varchar(40), seconds_ago integer) returns integer no sql return (@user := who) is null or (@seconds_ago := seconds_ago) is null;

create trigger inserted before insert on notes for each row
    set new.edited_by = @user, new.edited_at = now(6) - interval @seconds_ago second;
create trigger updated before update on notes for each row
    set new.edited_by = @user, new.edited_at = now(6) - interval @seconds_ago second;
