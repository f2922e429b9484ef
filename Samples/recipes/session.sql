-- What a server does for two devices that edit offline. Each transaction is one edit: device, the device's clock, and its cursor when it edited.
-- For SQLite, `run` turns sync_edit into a row of the table of that name.

-- The phone makes cards and pushes them: 1 to 6.
begin;
select sync_edit('phone', '2025-03-02T08:00:00Z', 0);
insert into cards (id, name, phone, visits, vip) values ('1', 'Ada', '100', 0, true);
insert into cards (id, name, phone) values ('2', 'Bob', '200');
insert into cards (id, name, phone) values ('3', 'Cy', '300');
insert into cards (id, name, phone) values ('4', 'Di', '400');
insert into cards (id, name, phone) values ('5', 'Ed', '500');
insert into cards (id, name, phone, rating, extra) values ('6', 'quote " apostrophe '' backslash \ 😀
<b>second line</b>', '', 2.5, '{"tags":["a","b\n"],"none":null}');
commit;

-- Both have pulled up to 6 and go offline. The phone is back first.
begin;
select sync_edit('phone', '2025-03-02T10:05:00Z', 6);
update cards set phone = '101' where id = '1';
commit;
begin;
select sync_edit('phone', '2025-03-02T10:06:00Z', 6);
update cards set name = 'Bobby' where id = '2';
commit;
begin;
select sync_edit('phone', '2025-03-02T10:07:00Z', 6);
delete from cards where id = '3';
commit;
begin;
select sync_edit('phone', '2025-03-02T10:08:00Z', 6);
update cards set phone = '401' where id = '4';
commit;
begin;
select sync_edit('phone', '2025-03-02T10:09:00Z', 6);
update cards set name = 'Eddie' where id = '5';
commit;
begin;
select sync_edit('phone', '2025-03-02T10:10:00Z', 6);
update cards set name = 'phone''s "name" \n
second line', vip = false, rating = 3.25, extra = '["phone",1,true,null]' where id = '6';
commit;

-- The tablet comes later. Conflict: it edited earlier, and a plain UPDATE keeps its phone number all the same.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T09:01:00Z', 6);
update cards set phone = '102' where id = '1';
commit;
-- Another field of the same card: both edits are kept.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T09:02:00Z', 6);
update cards set phone = '201' where id = '2';
commit;
-- Conflict: the card is gone. An UPDATE that finds no row fires no trigger, so the server logs the edit itself.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T09:03:00Z', 6);
update cards set phone = '301' where id = '3';
insert into change_log (record_type, record_id, op, fields, applied) values ('cards', '3', 'put', '{"phone":"301"}', false);
commit;
-- Conflict: the phone's edit goes with the card.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T09:04:00Z', 6);
delete from cards where id = '4';
commit;
-- Conflict: a form saved whole puts the old name back.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T10:30:00Z', 6);
update cards set name = 'Ed', phone = '501' where id = '5';
commit;
-- Conflicts in three fields; vip is removed.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T10:31:00Z', 6);
update cards set name = '''"\	tablet', vip = null, rating = -0.125, phone = '601' where id = '6';
commit;

-- Both pull up to 18. No conflict: whoever edits now has seen what it replaces.
begin;
select sync_edit('phone', '2025-03-02T11:00:00Z', 18);
update cards set phone = '202', visits = 1 where id = '2';
commit;
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T11:00:01Z', 19);
update cards set phone = null, visits = 2, vip = true where id = '2';
commit;
-- The tablet creates the card once more, and knows that it was deleted.
begin;
select sync_edit('Ann''s "tablet" 😀', '2025-03-02T11:00:02Z', 19);
insert into cards (id, name) values ('3', 'Cyd');
commit;
-- A new key is a delete and a put.
begin;
select sync_edit('phone', '2025-03-02T11:00:03Z', 21);
update cards set id = '7' where id = '3';
commit;
-- A change that says nothing of a device is the server's own; nothing can be proven of it.
begin;
update cards set visits = 3 where id = '2';
commit;
