import { useList, useRead } from '../api/queries.ts';
import { texts } from '../texts/parts.ts';
import { words } from '../ui/badge.tsx';
import { PickField, type PickFieldProps } from '../ui/pick-field.tsx';

const t = texts.optionFields;

type OfTenant = Omit<PickFieldProps, 'label'> & { label?: string; tenantId: string | undefined };

/** Asks for a routing config of a tenant. */
export function RoutingConfigField({ tenantId, ...props }: OfTenant) {
  const configs = useList(['routing_configs', 'of', tenantId], (api, page) =>
    api.routingConfigs.list({ ...page, tenant_id: tenantId }),
  );
  const chosen = props.value ?? props.defaultValue;
  const { data } = useRead(['routing_configs', chosen], (api) => api.routingConfigs.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  return (
    <PickField
      label={t.routingConfig}
      name="routing_config_id"
      placeholder={t.none}
      {...props}
      list={configs}
      optionOf={({ id, name }) => ({ id, text: name })}
      extra={data && { id: data.id, text: data.name }}
    />
  );
}

/** Asks for a queue of a tenant. */
export function QueueField({ tenantId, ...props }: OfTenant) {
  const queues = useList(['queues', 'of', tenantId], (api, page) =>
    api.callQueues.list({ ...page, tenant_id: tenantId }),
  );
  const chosen = props.value ?? props.defaultValue;
  const { data } = useRead(['queues', chosen], (api) => api.callQueues.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  return (
    <PickField
      label={t.queue}
      name="queue_id"
      {...props}
      list={queues}
      optionOf={({ id, name }) => ({ id, text: name })}
      extra={data && { id: data.id, text: data.name }}
    />
  );
}

/** Asks for a campaign of a tenant. */
export function CampaignField({ tenantId, ...props }: OfTenant) {
  const campaigns = useList(['campaigns', 'of', tenantId], (api, page) =>
    api.campaigns.list({ ...page, tenant_id: tenantId }),
  );
  const chosen = props.value ?? props.defaultValue;
  const { data } = useRead(['campaigns', chosen], (api) => api.campaigns.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  return (
    <PickField
      label={t.campaign}
      name="campaign_id"
      placeholder={t.none}
      {...props}
      list={campaigns}
      optionOf={campaignOption}
      extra={data && campaignOption(data)}
    />
  );
}

function campaignOption({ id, use_case, status }: { id: string; use_case: string; status: string }) {
  return { id, text: `${words(use_case)}, ${words(status)} (${id.slice(-5)})` };
}

/** Asks for an emergency address of a tenant. Only a validated one can be attached. */
export function E911AddressField({ tenantId, ...props }: OfTenant) {
  const addresses = useList(['e911_addresses', 'of', tenantId], (api, page) =>
    api.e911Addresses.list({ ...page, tenant_id: tenantId }),
  );
  const chosen = props.value ?? props.defaultValue;
  const { data } = useRead(['e911_addresses', chosen], (api) => api.e911Addresses.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  return (
    <PickField
      label={t.emergencyAddress}
      name="e911_address_id"
      placeholder={t.none}
      {...props}
      list={addresses}
      optionOf={addressOption}
      extra={data && addressOption(data)}
    />
  );
}

type Address = { id: string; street: string; unit: string | null; city: string; state: string; status: string };

function addressOption({ id, street, unit, city, state, status }: Address) {
  const place = [street, unit, city, state].filter((part) => part !== null).join(', ');
  return { id, text: status === 'validated' ? place : `${place} (${status})` };
}
