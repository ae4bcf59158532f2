-- When each person last texted STOP or START to a tenant, by the carrier's clock. Carriers deliver texts out of order:
-- one from before that moment changes nothing. A row outlasts the opt-out that a START ends.
create table opt_out_moments (
  ledger_id integer not null,
  tenant_id text collate "C" not null,
  external_number text collate "C" not null,
  occurred_at timestamptz not null,
  primary key (ledger_id, tenant_id, external_number),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);
