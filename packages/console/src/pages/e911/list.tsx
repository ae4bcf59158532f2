import type { E911Address } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type List, useList, useWrite } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { useNumbersOf } from '../../app/tenant-numbers.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateAddress } from './create-address.tsx';

const EXAMPLE = {
  tenant_id: 'tnt_…',
  street: '100 N Central Ave',
  unit: 'Suite 4',
  city: 'Phoenix',
  state: 'AZ',
  postal_code: '85004',
};

/** The places that emergency help is sent to, with the numbers that use each. */
export function E911Page() {
  const [isCreating, setCreating] = useState(false);
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const addresses = useList(['e911_addresses', filter], (api, page) => api.e911Addresses.list({ ...filter, ...page }));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> New address
    </Button>
  );
  return (
    <Page
      title="E911 addresses"
      about="Where help is sent after a 911 call from a number. A number needs an address of its tenant."
      actions={create}
    >
      <TenantFilterBar />
      <AddressList
        addresses={addresses}
        empty={
          <EmptyState
            title="No emergency addresses yet"
            curl={<Curl method="POST" path="/v1/e911_addresses" body={EXAMPLE} />}
          >
            The carrier checks that help can be sent to the address. A new address is attached at once to every active
            number of its tenant that has none.
          </EmptyState>
        }
      />
      {isCreating && <CreateAddress tenantId={tenant_id} onClose={() => setCreating(false)} />}
    </Page>
  );
}

type AddressListProps = { addresses: List<E911Address>; empty: ReactNode };

function AddressList({ addresses, empty }: AddressListProps) {
  const [deleted, setDeleted] = useState<E911Address>();
  const remove = useWrite((api, id: string) => api.e911Addresses.delete(id), {
    changes: ['e911_addresses'],
    done: 'The address is deleted.',
    onDone: () => setDeleted(undefined),
  });
  return (
    <>
      <DataList
        label="E911 addresses"
        list={addresses}
        rowId={({ id }) => id}
        columns={[
          { title: 'Address', cell: addressText, width: '2fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: 'Numbers', cell: (address) => <NumbersOf address={address} />, width: '1.5fr' },
          {
            title: 'Actions',
            align: 'end',
            cell: (address) => (
              <Button small onPress={() => setDeleted(address)}>
                Delete
              </Button>
            ),
          },
        ]}
        empty={empty}
      />
      <Confirm
        title="Delete this address?"
        isOpen={deleted !== undefined}
        onClose={() => {
          setDeleted(undefined);
          remove.reset();
        }}
        confirm="Delete"
        onConfirm={() => deleted !== undefined && remove.mutate(deleted.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{deleted && addressText(deleted)}</p>
        <p>An address that numbers use stays: give these numbers another address first.</p>
      </Confirm>
    </>
  );
}

function addressText({ street, unit, city, state, postal_code }: E911Address): string {
  return [street, unit, city, `${state} ${postal_code}`].filter((part) => part !== null).join(', ');
}

const SHOWN_MAX = 3;

/** The numbers whose callers are found at the address. */
function NumbersOf({ address }: { address: E911Address }) {
  const ledger = useLedger();
  const { rows, isLoading } = useNumbersOf(address.tenant_id);
  if (isLoading) return <span>…</span>;
  const its = rows.filter(({ e911_address_id }) => e911_address_id === address.id);
  if (its.length === 0) return <span>none</span>;
  return (
    <span>
      {its.slice(0, SHOWN_MAX).map(({ id, phone_number }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={ledgerPath(ledger, `numbers/${id}`)}>{formatNumber(phone_number)}</Link>
        </span>
      ))}
      {its.length > SHOWN_MAX && ` and ${its.length - SHOWN_MAX} more`}
    </span>
  );
}
