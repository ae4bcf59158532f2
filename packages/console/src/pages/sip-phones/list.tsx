import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries.ts';
import { Extensions } from '../../app/extensions.tsx';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { REGISTRATIONS_EVERY_MS, Registration } from '../../app/registration.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/sip-phones.ts';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

/** The telephones of tenants at SIP engines, and whether they are registered. */
export function SipPhonesPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const phones = useList(['sip_phones', 'list', tenant_id], (api, page) => api.sipPhones.list({ ...page, tenant_id }), {
    everyMs: REGISTRATIONS_EVERY_MS,
  });
  return (
    <Page title={t.telephones} about={t.telephonesTenantsRegister}>
      <TenantFilterBar />
      <DataList
        label={t.telephones}
        list={phones}
        rowId={({ id, tenant_id }) => `${tenant_id} ${id}`}
        columns={[
          { title: t.name, cell: ({ name }) => name },
          { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
          {
            title: t.tenant,
            cell: ({ tenant_id }) => (
              <Link to={ledgerPath(ledger, `tenants/${tenant_id}`)}>
                <TenantName id={tenant_id} />
              </Link>
            ),
            width: '1.2fr',
          },
          { title: t.extensions, cell: ({ extensions }) => <Extensions extensions={extensions} />, width: '1.6fr' },
          {
            title: t.registration,
            cell: ({ registration, registered_since, tenant_id }) => (
              <Registration registration={registration} since={registered_since} tenantId={tenant_id} />
            ),
            width: '1.4fr',
          },
        ]}
        empty={
          <EmptyState title={tenant_id === undefined ? t.noTelephonesYet : t.tenantNoTelephones}>
            {ledger.mode === 'test' ? t.testModeThere : t.operatorInstallationMakes}
          </EmptyState>
        }
      />
    </Page>
  );
}
