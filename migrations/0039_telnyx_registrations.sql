-- Brands and campaigns at Telnyx's registry: written before the request, so that one whose answer is lost can be found.
create table telnyx_registrations (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  -- Our id of the brand or campaign.
  ref text collate "C" not null,
  -- Where a search for it begins: the name that a brand shows, or Telnyx's id of a campaign's brand.
  found_under text not null,
  -- Telnyx's id; null until that is known.
  carrier_ref text collate "C",
  primary key (ledger_id, connection_id, ref)
);
