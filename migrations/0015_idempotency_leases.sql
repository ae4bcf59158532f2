-- A request that speaks to the outside and stores nothing takes its Idempotency-Key before it begins, and for a time
-- that it prolongs: after a crash the key is free again. Wall time; null for all others.
alter table idempotency_keys add column lease_until timestamptz;
