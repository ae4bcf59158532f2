-- Replays that try the failed deliveries of an endpoint again, in place of making new ones for events.
alter table webhook_replays
  add column retries_failed boolean not null default false,
  -- How many there were at the start, counted up to a limit; null for a replay of events.
  add column total_count integer,
  -- The last delivery that was tried again: its status at that time, and its id. Null before the first.
  add column last_status text,
  add column last_delivery_id text collate "C";
