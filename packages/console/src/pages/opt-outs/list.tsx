import type { OptOut } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatNumber, NUMBER_FILTER } from '../../lib/numbers.ts';
import { texts } from '../../texts/opt-outs.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Candidates } from './candidates.tsx';
import { AddOptOut, LiftOptOut } from './opt-out-dialogs.tsx';
import { isLiftable, stopped } from './sources.ts';

const t = texts.list;

/** The people who have opted out of a tenant's texts or calls. */
export function OptOutsPage() {
  const [{ tenant_id, external_number }, setFilters] = useFilters();
  const [isAdding, setAdding] = useState(false);
  const [lifted, setLifted] = useState<OptOut>();
  const optOuts = useList(['opt_outs', tenant_id, external_number], (api, page) =>
    api.optOuts.list({ ...page, tenant_id, external_number }),
  );
  const add = (
    <Button kind="primary" onPress={() => setAdding(true)}>
      <Plus aria-hidden /> {t.addOptOut}
    </Button>
  );
  return (
    <Page title={t.optOuts} about={t.peopleWhoGet} actions={add}>
      <FilterBar>
        <TenantFilter />
        <FilterText
          label={t.person}
          {...NUMBER_FILTER}
          value={external_number}
          onChange={(number) => setFilters({ external_number: number })}
        />
      </FilterBar>
      <Candidates tenantId={tenant_id} />
      <DataList
        label={t.optOuts}
        list={optOuts}
        rowId={(row) => `${row.tenant_id}:${row.external_number}`}
        columns={[
          { title: t.person, cell: (row) => <Person tenantId={row.tenant_id} number={row.external_number} /> },
          { title: t.tenant, cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: t.stops, cell: ({ channels }) => stopped(channels) },
          { title: t.setBy, cell: ({ source }) => <Badge>{words(source)}</Badge> },
          { title: t.since, cell: (row) => <Moment at={row.opted_out_at} tenantId={row.tenant_id} /> },
          {
            title: t.actions,
            align: 'end',
            cell: (row) =>
              isLiftable(row) ? (
                <Button
                  small
                  aria-label={t.liftOptOut(formatNumber(row.external_number))}
                  onPress={() => setLifted(row)}
                >
                  {t.lift}
                </Button>
              ) : (
                t.byStartAlone
              ),
          },
        ]}
        empty={<NoOptOuts isFiltered={external_number !== undefined} />}
      />
      {isAdding && <AddOptOut tenantId={tenant_id} onClose={() => setAdding(false)} />}
      {lifted !== undefined && <LiftOptOut optOut={lifted} onClose={() => setLifted(undefined)} />}
    </Page>
  );
}

function NoOptOuts({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={t.personNotOpted}>{t.changeFiltersAbove}</EmptyState>;
  return (
    <EmptyState
      title={t.nobodyOptedOut}
      curl={<Curl method="POST" path="/v1/opt_outs" body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }} />}
    >
      {t.whoTextsStop}
    </EmptyState>
  );
}
