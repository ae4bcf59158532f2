-- Conversations, messages, opt-outs, and the pacing of campaigns.

-- One row per conversation: a number of a tenant and an external number.
create table conversations (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  phone_number_id text collate "C" not null,
  external_number text collate "C" not null,
  last_activity_at timestamptz not null,
  last_message_preview text not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id),
  foreign key (ledger_id, phone_number_id) references phone_numbers (ledger_id, id)
) with (fillfactor = 80);

-- The conversation of two numbers, which new activity updates or starts.
create unique index conversations_numbers on conversations (ledger_id, phone_number_id, external_number);
-- Lists of the whole ledger and of one tenant, latest activity first.
create index conversations_activity on conversations (ledger_id, last_activity_at, id);
create index conversations_tenant_activity on conversations (ledger_id, tenant_id, last_activity_at, id);

-- One row per message in either direction.
create table messages (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  conversation_id text collate "C" not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  -- What made the message: a request to the API, the confirmation of a keyword, or the person at the external number.
  origin text not null check (origin in ('api', 'confirmation', 'handset')),
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  body text not null,
  -- Array of objects with url and content_type.
  media json not null default '[]',
  status text not null check (status in ('queued', 'sent', 'delivered', 'failed', 'received')),
  error_code text,
  -- SMS segments of the body. Billing and pacing count a message with media as one.
  segments smallint not null,
  -- The carrier's id of an inbound message; null for an outbound one.
  carrier_ref text collate "C",
  metadata json not null default '{}',
  -- Array of objects with status and at, oldest first.
  status_history json not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, conversation_id) references conversations (ledger_id, id)
) with (fillfactor = 80);

-- Lists of one conversation, newest first, and the message before another in its conversation.
create index messages_conversation on messages (ledger_id, conversation_id, id);
-- Recognizes an inbound message that the carrier repeats.
create unique index messages_carrier_ref on messages (ledger_id, carrier_ref) where carrier_ref is not null;
create index messages_tenant on messages (ledger_id, tenant_id, id);

-- One row per tenant and external number that has opted out: the tenant must not send to it.
create table opt_outs (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  source text not null check (source in ('stop_keyword', 'stop_phrase', 'api', 'carrier', 'import')),
  opted_out_at timestamptz not null,
  primary key (ledger_id, tenant_id, external_number),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

-- Lists, newest first.
create index opt_outs_age on opt_outs (ledger_id, opted_out_at, tenant_id, external_number);

-- One row per message that waits for the throughput of its campaign: the items of the campaign's lane. The row is
-- deleted when the message is handed over to the carrier.
create table paced_messages (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  message_id text collate "C" not null,
  conversation_id text collate "C" not null,
  -- True for the confirmation of a keyword (STOP, START, HELP), which is sent before all others.
  ahead boolean not null default false,
  primary key (ledger_id, campaign_id, message_id)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- The confirmations of a campaign, oldest first.
create index paced_messages_ahead on paced_messages (ledger_id, campaign_id, message_id) where ahead;

-- One row per campaign and slot of 200 ms: how many messages were handed over. The sliding minute is the sum of its
-- slots. Old slots are deleted by the statement that adds a new one.
create table campaign_hand_overs (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  -- End of the slot.
  at timestamptz not null,
  messages integer not null,
  primary key (ledger_id, campaign_id, at)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- One row per campaign and day: how many segments were handed over.
create table campaign_days (
  ledger_id integer not null,
  campaign_id text collate "C" not null,
  -- In Pacific time.
  day date not null,
  segments integer not null,
  primary key (ledger_id, campaign_id, day)
) with (fillfactor = 70);
