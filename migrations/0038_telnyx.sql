-- The messaging profiles at Telnyx, one for each tenant: Telnyx keeps opt-outs by profile.
create table telnyx_profiles (
  ledger_id integer not null,
  connection_id text collate "C" not null references carrier_connections (id),
  tenant_id text collate "C" not null,
  profile_id text collate "C" not null,
  primary key (ledger_id, connection_id, tenant_id)
);
