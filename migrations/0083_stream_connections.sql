-- The address to which the gateway connects a stream, if its client does not connect to the gateway.
alter table media_streams add column connect_url text;
-- The form of the stream's messages.
alter table media_streams add column dialect text not null default 'native' check (dialect in ('native', 'twilio'));
-- The caller's own values, which the first message repeats.
alter table media_streams add column parameters jsonb not null default '{}';
-- Why the gateway could not connect.
alter table media_streams add column connect_error text;
