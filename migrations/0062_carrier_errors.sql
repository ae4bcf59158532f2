-- Why a text failed in its carrier's own terms: an object with carrier_code and title. Null if the carrier names none.
alter table messages add column error_detail json;

-- One row per connection and error that says that the operator's account at the carrier does not allow something. A row
-- that is not renewed for 15 minutes is over. Operators make connections and carriers few such codes, so rows stay few.
create table carrier_alarms (
  connection_id text collate "C" not null,
  capability text not null,
  carrier_code text collate "C" not null,
  title text not null,
  -- Wall time.
  since timestamptz not null,
  last_at timestamptz not null,
  primary key (connection_id, capability, carrier_code)
) with (fillfactor = 50);
