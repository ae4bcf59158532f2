import { Plus } from 'lucide-react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/port-ins.ts';
import { Status, words } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { type PortInStatus, STATUSES } from './stages.ts';

const t = texts.list;

const ANY = 'any';

/** All port-ins of the account, by tenant and status. */
export function PortInsPage() {
  const ledger = useLedger();
  const [{ tenant_id, status }, setFilters] = useFilters();
  const filter = {
    ...(tenant_id !== undefined && { tenant_id }),
    ...(status !== undefined && { status: status as PortInStatus }),
  };
  const portIns = useList(['port_ins', filter], (api, page) => api.portIns.list({ ...filter, ...page }));
  const create = (
    <ButtonLink kind="primary" to={ledgerPath(ledger, 'port-ins/new')}>
      <Plus aria-hidden /> {t.newPortIn}
    </ButtonLink>
  );
  return (
    <Page title={t.portIns} about={t.numbersCustomersBring} actions={create}>
      <FilterBar>
        <TenantFilter />
        <Select
          label={t.status}
          options={[{ id: ANY, text: t.any }, ...STATUSES.map((id) => ({ id, text: words(id) }))]}
          value={status ?? ANY}
          onChange={(id) => setFilters({ status: id === ANY ? undefined : id })}
        />
      </FilterBar>
      <DataList
        label={t.portIns}
        list={portIns}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `port-ins/${id}`)}
        columns={[
          { title: t.numbers, cell: ({ phone_numbers }) => numbersInShort(phone_numbers), width: '1.5fr' },
          { title: t.status, cell: (portIn) => <Status status={portIn.status} /> },
          { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} />, width: '1.3fr' },
          { title: t.accountHolder, cell: ({ entity_name }) => entity_name, width: '1.3fr' },
          {
            title: t.focDate,
            cell: ({ foc_date, tenant_id }) => <Moment at={foc_date} tenantId={tenant_id} format="day" />,
          },
          {
            title: t.made,
            cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          tenant_id === undefined && status === undefined ? (
            <EmptyState
              title={t.noPortIns}
              curl={<Curl method="POST" path="/v1/port_ins/check" body={{ phone_numbers: ['+16025550170'] }} />}
            >
              {t.customerKeepsNumber}
            </EmptyState>
          ) : (
            <EmptyState title={t.noPortMatches}>{t.chooseAnotherTenant}</EmptyState>
          )
        }
      />
    </Page>
  );
}

function numbersInShort([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? formatNumber(first) : t.andMore(formatNumber(first), others.length);
}
