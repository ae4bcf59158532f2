-- The name that a caller shows; null without one, and of calls from before.
alter table calls add column caller_name text;
