import { useState } from 'react';
import { useList, useRead } from '../api/queries.ts';
import { PickField, type PickFieldProps } from '../ui/pick-field.tsx';

const TENANT_ID = /^tnt_[0-9a-z]+$/;

/** Asks for a tenant, by its name or its whole id. In a form it is the field `tenant_id` of the API. */
export function TenantField(props: Omit<PickFieldProps, 'label'> & { label?: string }) {
  const [typed, setTyped] = useState('');
  const tenants = useList(['tenants'], (api, page) => api.tenants.list(page));
  const chosen = TENANT_ID.test(typed) ? typed : (props.value ?? props.defaultValue);
  const { data } = useRead(['tenants', chosen], (api) => api.tenants.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  return (
    <PickField
      label="Tenant"
      name="tenant_id"
      {...props}
      list={tenants}
      optionOf={({ id, name }) => ({ id, text: name })}
      extra={data === undefined ? undefined : { id: data.id, text: typed === data.id ? data.id : data.name }}
      onType={setTyped}
    />
  );
}

/** The name of a tenant; its id while the name is not read, and of a deleted tenant. */
export function TenantName({ id }: { id: string | null }) {
  const { data } = useRead(['tenants', id], (api) => api.tenants.get(id as string), { enabled: id !== null });
  if (id === null) return <span>–</span>;
  return data === undefined ? <code>{id}</code> : <span>{data.name}</span>;
}
