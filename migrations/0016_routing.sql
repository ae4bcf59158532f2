-- Who answers the calls to a number, and when.

create table routing_configs (
  ledger_id integer not null,
  id text collate "C" not null,
  tenant_id text collate "C" not null,
  name text not null,
  -- Null: open at all hours.
  business_hours json,
  open_behavior json not null,
  closed_behavior json not null,
  recording json not null,
  created_at timestamptz not null,
  primary key (ledger_id, id),
  foreign key (ledger_id, tenant_id) references tenants (ledger_id, id)
);

create index routing_configs_tenant on routing_configs (ledger_id, tenant_id, id);

-- Until now no id was ever found, so that every number has null here.
alter table phone_numbers add constraint phone_numbers_routing_config
  foreign key (ledger_id, routing_config_id) references routing_configs (ledger_id, id);
create index phone_numbers_routing_config on phone_numbers (ledger_id, routing_config_id)
  where routing_config_id is not null;
