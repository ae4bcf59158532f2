import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/forms.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';

const t = texts.list;

/** All opt-in forms of the account. */
export function FormsPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const filter = tenant_id === undefined ? {} : { tenant_id };
  const forms = useList(['opt_in_forms', filter], (api, page) => api.optInForms.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'forms/new')}>
      <Plus aria-hidden /> {t.newForm}
    </ButtonLink>
  );
  return (
    <Page title={t.optInForms} about={t.publicPagesWhere} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.optInForms}
        list={forms}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `forms/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name, width: '1.5fr' },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
          {
            title: t.campaign,
            cell: ({ campaign_id }) => (campaign_id === null ? t.none : <code>{campaign_id}</code>),
          },
          { title: t.page, cell: ({ slug }) => <code>/opt-in/{slug}</code>, width: '1.5fr' },
          {
            title: t.made,
            cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState
            title={t.noOptForms}
            curl={
              <Curl
                method="POST"
                path="/v1/opt_in_forms"
                body={{ tenant_id: 'tnt_…', name: t.appointmentReminders, color: '#00695c' }}
              />
            }
          >
            {t.carriersWantSee}
          </EmptyState>
        }
      />
    </Page>
  );
}
