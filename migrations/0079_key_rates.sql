-- Requests a second of a key; null: those of its account. Null there: the limit of the program.
alter table api_keys add column rate_limit integer check (rate_limit between 1 and 1000);
alter table accounts add column rate_limit integer check (rate_limit between 1 and 1000);
