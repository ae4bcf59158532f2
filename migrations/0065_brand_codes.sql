-- One row per sole proprietor's brand whose code was confirmed or sent again over the API.
create table brand_codes (
  ledger_id integer not null,
  brand_id text collate "C" not null,
  -- When the newest code was requested, in ledger time; null if none was requested over the API.
  sent_at timestamptz,
  -- Codes that were tried since then.
  attempts integer not null,
  primary key (ledger_id, brand_id),
  foreign key (ledger_id, brand_id) references brands (ledger_id, id)
);
