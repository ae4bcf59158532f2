-- The simulated carrier: numbers, messages, registrations, emergency addresses and ports. The domain never reads these
-- tables; it learns what happened from carrier events. A `ref` is the customer's (our own) id of the thing.

-- One row per test ledger whose settings were changed.
create table simulated_settings (
  ledger_id integer primary key references ledgers (id),
  -- auto: registrations that need a review are approved at once; manual: they wait for a decision by request.
  reviews text not null check (reviews in ('auto', 'manual'))
);

-- One row per fault that was set: a way in which the simulated carrier fails.
create table simulated_faults (
  ledger_id integer not null references ledgers (id),
  kind text not null,
  -- delay_seconds, and struck: how often the fault has struck.
  settings json not null,
  -- How often the fault will still strike; null: until it is reset.
  remaining integer,
  primary key (ledger_id, kind)
);

-- One row per number that was bought, released ones included.
create table simulated_numbers (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  -- The ref of the order that took the number, so that a repeated order is the same order.
  order_ref text collate "C" not null,
  released_at timestamptz,
  primary key (ledger_id, phone_number)
);

-- One row per message that was sent through the carrier.
create table simulated_messages (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  ref text collate "C" not null,
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  body text not null,
  -- Array of URLs.
  media_urls json not null default '[]',
  status text not null check (status in ('accepted', 'delivered', 'failed')),
  at timestamptz not null,
  primary key (ledger_id, id)
);

-- Recognizes a repeated message, and finds one to report on.
create unique index simulated_messages_ref on simulated_messages (ledger_id, ref);
-- The outbox of one external number, newest first.
create index simulated_messages_handset on simulated_messages (ledger_id, "to", id);

-- One row per brand or campaign that was registered.
create table simulated_registrations (
  ledger_id integer not null references ledgers (id),
  ref text collate "C" not null,
  -- Of the brand, or of the campaign's brand.
  entity_type text not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'suspended', 'ended')),
  -- Why it was rejected or suspended.
  reason text,
  primary key (ledger_id, ref)
);

-- One row per number that is assigned to a campaign.
create table simulated_assignments (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  campaign_ref text collate "C" not null,
  primary key (ledger_id, phone_number)
);

-- One row per emergency address that was validated.
create table simulated_e911_addresses (
  ledger_id integer not null references ledgers (id),
  ref text collate "C" not null,
  primary key (ledger_id, ref)
);

-- One row per number that is registered at an emergency address.
create table simulated_e911_numbers (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  address_ref text collate "C" not null,
  primary key (ledger_id, phone_number)
);

-- One row per port-in: its latest submission.
create table simulated_port_ins (
  ledger_id integer not null references ledgers (id),
  ref text collate "C" not null,
  -- Number of the submission, from 1; 0 for a port-in that was cancelled before it arrived.
  attempt integer not null,
  phone_numbers text[] not null,
  status text not null
    check (status in ('in_review', 'action_needed', 'foc_confirmed', 'completed', 'cancelled')),
  -- When the numbers move.
  foc_date timestamptz not null,
  primary key (ledger_id, ref)
);
