import { useState } from 'react';
import { useRead } from '../api/queries.ts';
import { useTenantsFound } from '../api/tenants-found.ts';
import { texts } from '../texts/parts.ts';
import { PickField, type PickFieldProps } from '../ui/pick-field.tsx';

const t = texts.tenantField;

const TENANT_ID = /^tnt_[0-9a-z]+$/;

/** Asks for a tenant, by words of its name, its whole reference or its whole id. In a form it is the field `tenant_id`. */
export function TenantField(props: Omit<PickFieldProps, 'label'> & { label?: string }) {
  const [typed, setTyped] = useState('');
  const chosen = TENANT_ID.test(typed) ? typed : (props.value ?? props.defaultValue);
  const { data } = useRead(['tenants', chosen], (api) => api.tenants.get(chosen as string), {
    enabled: typeof chosen === 'string',
  });
  // The name of the chosen tenant is not a search. So if the field is opened again, it offers all tenants.
  const tenants = useTenantsFound(typed === data?.name ? '' : typed);
  return (
    <PickField
      label={t.tenant}
      name="tenant_id"
      {...props}
      list={tenants}
      isFiltered
      searched={t.searchedWereStarts}
      optionOf={({ id, name }) => ({ id, text: name })}
      extra={data === undefined ? undefined : { id: data.id, text: typed === data.id ? data.id : data.name }}
      onType={setTyped}
    />
  );
}

/** The name of a tenant. Shows the id until the name is read, and for a deleted tenant. */
export function TenantName({ id }: { id: string | null }) {
  const { data } = useRead(['tenants', id], (api) => api.tenants.get(id as string), { enabled: id !== null });
  if (id === null) return <span>–</span>;
  return data === undefined ? <code>{id}</code> : <span dir="auto">{data.name}</span>;
}
