-- Whole records that a server keeps as they come: each update sets every field to what the form showed.
-- Ann and Ben are online, Cid's telephone was without a network for 25 minutes. For PostgreSQL and MariaDB.

select acting('ann', 0);
insert into notes (id, title, body, pinned) values (1, 'Order paint', 'Two litres of the blue one', false);
insert into notes (id, title, body, pinned) values (2, 'Choir', 'Seven o''clock at the school', false);
insert into notes (id, title, body, pinned) values (3, 'Passport', 'Photographs are in the drawer', false);
insert into notes (id, title, body, pinned) values (4, 'Odd', 'quote " apostrophe '' backslash \ comma , 😀', false);
insert into notes (id, title, body, pinned) values (5, 'Hinges', 'The left one', false);
insert into notes (id, title, body, pinned) values (6, 'Old list', null, true);

select acting('ben', 0);
update notes set title = 'Order paint and brushes', body = 'Two litres of the blue one', pinned = false where id = 1;
update notes set title = 'Choir and band', body = 'Eight o''clock, bring "both" books from C:\music', pinned = false where id = 2;
update notes set title = 'Passport', body = 'Photographs are at Ben''s', pinned = false where id = 3;
update notes set title = 'Odd, but fine', body = 'quote " apostrophe '' backslash \ comma , 😀', pinned = false where id = 4;
update notes set title = 'Hinges', body = 'Both of them', pinned = false where id = 5;

-- Cid's forms were opened before Ben saved. The first puts Ben's title back, the second replaces his text too.
select acting('cid', 1500);
update notes set title = 'Order paint', body = 'Three litres of the blue one', pinned = false where id = 1;
update notes set title = 'Choir', body = 'Cancelled this week', pinned = false where id = 2;
-- With the record goes what Ben wrote in it.
delete from notes where id = 3;
-- Only the time tells that Cid had not seen Ben's text.
update notes set title = 'Hinges', body = 'The right one', pinned = false where id = 5;

-- Nobody loses anything by these: all go on from what was there.
select acting('cid', 0);
update notes set title = 'Odd, but fine', body = 'line one
line two	after a tab', pinned = false where id = 4;
select acting('ann', 0);
update notes set title = 'Odd, but fine', body = 'line one
line two	after a tab', pinned = true where id = 4;
update notes set title = 'Order paint', body = 'Three litres of the blue one', pinned = true where id = 1;
delete from notes where id = 6;
select acting('ben', 0);
update notes set title = 'Odd, but fine', body = 'line one
line two	after a tab', pinned = false where id = 4;
