-- The simulated carrier's own books. The domain never reads them: it learns what happened from carrier events only.

create table simulated_numbers (
  ledger_id integer not null references ledgers (id),
  phone_number text collate "C" not null,
  -- The customer's reference of the order that took it, so that a repeated order is the same order.
  order_ref text collate "C" not null,
  released_at timestamptz,
  primary key (ledger_id, phone_number)
);

create table simulated_messages (
  ledger_id integer not null references ledgers (id),
  id text collate "C" not null,
  -- The customer's reference of the message.
  ref text collate "C" not null,
  "from" text collate "C" not null,
  "to" text collate "C" not null,
  body text not null,
  media_urls json not null default '[]',
  status text not null check (status in ('accepted', 'delivered', 'failed')),
  at timestamptz not null,
  primary key (ledger_id, id)
);

create unique index simulated_messages_ref on simulated_messages (ledger_id, ref);
create index simulated_messages_handset on simulated_messages (ledger_id, "to", id);

create table simulated_faults (
  ledger_id integer not null references ledgers (id),
  kind text not null,
  settings json not null,
  -- How often it still strikes; null means until reset.
  remaining integer,
  primary key (ledger_id, kind)
);
