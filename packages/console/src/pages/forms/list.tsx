import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

/** All opt-in forms of the account. */
export function FormsPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const forms = useList(['opt_in_forms', filter], (api, page) => api.optInForms.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'forms/new')}>
      <Plus aria-hidden /> New form
    </ButtonLink>
  );
  return (
    <Page
      title="Opt-in forms"
      about="Public pages where people agree to receive texts, with a record of each consent."
      actions={create}
    >
      <TenantFilterBar />
      <DataList
        label="Opt-in forms"
        list={forms}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `forms/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name, width: '1.5fr' },
          { title: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          {
            title: 'Campaign',
            cell: ({ campaign_id }) => (campaign_id === null ? 'none' : <code>{campaign_id}</code>),
          },
          { title: 'Page', cell: ({ slug }) => <code>/opt-in/{slug}</code>, width: '1.5fr' },
          {
            title: 'Made',
            cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState
            title="No opt-in forms yet"
            curl={
              <Curl
                method="POST"
                path="/v1/opt_in_forms"
                body={{ tenant_id: 'tnt_…', name: 'Appointment reminders', color: '#00695c' }}
              />
            }
          >
            Carriers want to see where people agree to texts, and a complaint is answered with proof. A form is both: a
            page that anybody can open, and a record of who ticked its box.
          </EmptyState>
        }
      />
    </Page>
  );
}
