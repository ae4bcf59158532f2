-- Since when a leg has its channel: one that is being dialled may not be at its engine yet.
alter table sip_legs add column channel_at timestamptz not null default now();
alter table sip_legs alter column channel_at set default clock_timestamp();
