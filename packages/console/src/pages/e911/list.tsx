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
import { texts } from '../../texts/e911.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { CreateAddress } from './create-address.tsx';

const t = texts.list;

const EXAMPLE = {
  tenant_id: 'tnt_…',
  street: t.n100NCentral,
  unit: t.suite4,
  city: t.phoenix,
  state: 'AZ',
  postal_code: '85004',
};

/** The addresses for emergency help, with the numbers that use each. */
export function E911Page() {
  const [isCreating, setCreating] = useState(false);
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const addresses = useList(['e911_addresses', filter], (api, page) => api.e911Addresses.list({ ...filter, ...page }));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newAddress}
    </Button>
  );
  return (
    <Page title={t.e911Addresses} about={t.whereHelpSent} actions={create}>
      <TenantFilterBar />
      <AddressList
        addresses={addresses}
        empty={
          <EmptyState
            title={t.noEmergencyAddresses}
            curl={<Curl method="POST" path="/v1/e911_addresses" body={EXAMPLE} />}
          >
            {t.carrierChecksHelp}
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
    done: t.addressDeleted,
    onDone: () => setDeleted(undefined),
  });
  return (
    <>
      <DataList
        label={t.e911Addresses}
        list={addresses}
        rowId={({ id }) => id}
        columns={[
          { title: t.address, cell: addressText, width: '2fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          { title: t.numbers, cell: (address) => <NumbersOf address={address} />, width: '1.5fr' },
          {
            title: t.actions,
            align: 'end',
            cell: (address) => (
              <Button small onPress={() => setDeleted(address)}>
                {t.delete}
              </Button>
            ),
          },
        ]}
        empty={empty}
      />
      <Confirm
        title={t.deleteThisAddress}
        isOpen={deleted !== undefined}
        onClose={() => {
          setDeleted(undefined);
          remove.reset();
        }}
        confirm={t.delete}
        onConfirm={() => deleted !== undefined && remove.mutate(deleted.id)}
        isPending={remove.isPending}
        error={remove.error}
      >
        <p>{deleted && addressText(deleted)}</p>
        <p>{t.addressNumbersUse}</p>
      </Confirm>
    </>
  );
}

function addressText({ street, unit, city, state, postal_code }: E911Address): string {
  return [street, unit, city, `${state} ${postal_code}`].filter((part) => part !== null).join(', ');
}

const SHOWN_MAX = 3;

/** The numbers with this address. */
function NumbersOf({ address }: { address: E911Address }) {
  const ledger = useLedger();
  const { rows, isLoading } = useNumbersOf(address.tenant_id);
  if (isLoading) return <span>…</span>;
  const its = rows.filter(({ e911_address_id }) => e911_address_id === address.id);
  if (its.length === 0) return <span>{t.none}</span>;
  return (
    <span>
      {its.slice(0, SHOWN_MAX).map(({ id, phone_number }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link to={ledgerPath(ledger, `numbers/${id}`)}>{formatNumber(phone_number)}</Link>
        </span>
      ))}
      {its.length > SHOWN_MAX && t.andMore(its.length - SHOWN_MAX)}
    </span>
  );
}
