-- A relay is a stream whose client is the agent's text socket: these are its settings. Null for any other stream.
alter table media_streams add column relay jsonb;
-- When the audio of a relay was requested, and the gateway was to connect: after the announcements.
alter table media_streams add column dial_at timestamptz;
-- How a relay ended, and what the agent has handed over.
alter table media_streams add column relay_reason text;
alter table media_streams add column handoff_data text;
alter table media_streams drop constraint media_streams_dialect_check;
alter table media_streams add constraint media_streams_dialect_check check (dialect in ('native', 'twilio', 'relay'));
