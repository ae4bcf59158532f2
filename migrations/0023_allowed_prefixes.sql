-- Where live texts and calls may go besides the United States and Canada (digits, country code first); operators edit
-- the list. What is in high_cost_prefixes stays refused.
create table allowed_prefixes (
  prefix text collate "C" primary key check (prefix ~ '^[1-9][0-9]{0,14}$')
);
