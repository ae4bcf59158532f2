-- How a tenant's replies to keywords name the sender, and how its recipients reach it. Null: the tenant's name; none.
alter table tenants add column sender_name text, add column support_contact text;

-- Which submission of the campaign the registry has or gets: a rejected campaign can be corrected and submitted again.
-- The registry knows the first one by the campaign's id, every later one by the id, a dot and the number.
alter table campaigns add column attempt integer not null default 1;

-- Forms can be changed. Each submission keeps the text that its person saw: the first one in consent_text, the latest
-- one here. Null if they are the same.
alter table opt_in_submissions add column last_consent_text text;
