-- The attempts to hand a text to its carrier: an array of objects with at, outcome, reason and error_detail, oldest
-- first. Null for a text that the carrier accepted at the first attempt, whose statuses say all.
alter table messages add column submit_attempts jsonb;
