import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/compliance.ts';
import { Status } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ENTITY_TYPES, EXAMPLE_BRAND, nameOf } from './texts.ts';

const t = texts.brands;

/** All brands of the account. */
export function BrandsPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const brands = useList(['brands', 'list', filter], (api, page) => api.brands.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'brands/new')}>
      <Plus aria-hidden /> {t.newBrand}
    </ButtonLink>
  );
  return (
    <Page title={t.brands} about={t.whoSendsCompanies} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.brands}
        list={brands}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `brands/${id}`)}
        columns={[
          { title: t.brand, cell: ({ dba, legal_name }) => nameOf({ dba, legal_name }), width: '2fr' },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.company, cell: ({ entity_type }) => ENTITY_TYPES[entity_type] },
          {
            title: t.tenant,
            cell: ({ tenant_id }) => (tenant_id === null ? t.allPlatforms : <TenantName id={tenant_id} />),
          },
          {
            title: t.made,
            cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          tenant_id !== undefined ? (
            <EmptyState title={t.noBrandTenant}>{t.tenantWithoutBrand}</EmptyState>
          ) : (
            <EmptyState title={t.noBrandsYet} curl={<Curl method="POST" path="/v1/brands" body={EXAMPLE_BRAND} />}>
              {t.usCarriersAccept}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
