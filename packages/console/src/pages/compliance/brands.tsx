import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ENTITY_TYPES, EXAMPLE_BRAND, nameOf } from './texts.ts';

/** All brands of the account. */
export function BrandsPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const brands = useList(['brands', 'list', filter], (api, page) => api.brands.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'brands/new')}>
      <Plus aria-hidden /> New brand
    </ButtonLink>
  );
  return (
    <Page
      title="Brands"
      about="Who sends: the companies that the US carriers know. A campaign needs a vetted brand."
      actions={create}
    >
      <TenantFilterBar />
      <DataList
        label="Brands"
        list={brands}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `brands/${id}`)}
        columns={[
          { title: 'Brand', cell: ({ dba, legal_name }) => nameOf({ dba, legal_name }), width: '2fr' },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Company', cell: ({ entity_type }) => ENTITY_TYPES[entity_type] },
          {
            title: 'Tenant',
            cell: ({ tenant_id }) => (tenant_id === null ? 'All: the platform’s brand' : <TenantName id={tenant_id} />),
          },
          {
            title: 'Made',
            cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          tenant_id !== undefined ? (
            <EmptyState title="No brand of this tenant">
              A tenant without a brand of its own texts under the platform’s brand.
            </EmptyState>
          ) : (
            <EmptyState title="No brands yet" curl={<Curl method="POST" path="/v1/brands" body={EXAMPLE_BRAND} />}>
              US carriers accept texts only from senders they know. A brand is the company behind the texts: yours, or
              that of a tenant with a tax id of its own.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
