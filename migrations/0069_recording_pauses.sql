-- What the customer hears before anything listens to a call of the number.
alter table routing_configs add column listening_announcement text;

-- The pauses of a recording: a JSON array of objects with from and until. The last one may have no end yet.
alter table simulated_recordings add column pauses jsonb not null default '[]';
alter table telnyx_recordings add column pauses jsonb not null default '[]';

-- Whether its engine has been told to record silence.
alter table sip_recordings add column muted boolean not null default false;
