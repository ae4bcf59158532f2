import type { PhoneNumber } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { useList, useRead } from '../api/queries.ts';
import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/parts.ts';
import { PickField, type PickFieldProps } from '../ui/pick-field.tsx';

const t = texts.numberField;

const NUMBER_ID = /^num_[0-9a-z]+$/;

type NumberFieldProps = Omit<PickFieldProps, 'label'> & {
  label?: string;
  /** The tenant whose numbers are offered; by default all numbers. */
  tenantId?: string | undefined;
};

/** Reads the ledger's own numbers, or the numbers of one tenant. */
const useNumbersOf = (tenantId: string | undefined) =>
  useList(['phone_numbers', 'of', tenantId], (api, page) => api.phoneNumbers.list({ ...page, tenant_id: tenantId }));

/** Asks for one of the ledger's own numbers, by its digits or its whole id. The value is the id. */
export function NumberField({ tenantId, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState('');
  const numbers = useNumbersOf(tenantId);
  const chosen = NUMBER_ID.test(typed) ? typed : (props.value ?? props.defaultValue);
  const { data } = useNumber(chosen);
  return (
    <PickField
      label={t.number}
      name="phone_number_id"
      {...props}
      list={numbers}
      optionOf={optionOf}
      extra={data === undefined ? undefined : { id: data.id, text: typed === data.id ? data.id : optionOf(data).text }}
      onType={setTyped}
    />
  );
}

/** Returns the id of the only number that can send texts; undefined if there are several, or none. */
export function useOnlyNumber(tenantId: string | undefined): string | null {
  const { rows, hasMore } = useNumbersOf(tenantId);
  const active = rows.filter(({ status }) => status === 'active');
  return hasMore || active.length !== 1 ? null : (active[0]?.id ?? null);
}

function optionOf({ id, phone_number, status }: PhoneNumber) {
  const number = formatNumber(phone_number);
  return { id, text: status === 'active' ? number : `${number}, ${status}` };
}

/** Reads one of the ledger's own numbers. */
export function useNumber(id: string | null | undefined) {
  return useRead(['phone_numbers', id], (api) => api.phoneNumbers.get(id as string), {
    enabled: typeof id === 'string' && id !== '',
  });
}

/** The phone number with this id; shows the id until the number is read. */
export function NumberName({ id }: { id: string }) {
  const { data } = useNumber(id);
  return data === undefined ? <code>{id}</code> : <span>{formatNumber(data.phone_number)}</span>;
}
