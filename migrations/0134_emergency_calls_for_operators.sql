-- Operators see the calls to 911 of all accounts. These are few rows of the largest table.
create index events_emergency_calls on events (created_at) where type = 'emergency_call.placed';
