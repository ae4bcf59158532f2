-- The other parties of a group text besides "from" and "to"; empty for any other text.
alter table messages add column other_recipients text[] not null default '{}';
