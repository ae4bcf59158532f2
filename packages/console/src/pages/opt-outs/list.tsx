import type { OptOut } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { e164Of, formatNumber } from '../../lib/numbers.ts';
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

/** Who has opted out of a tenant's texts or calls. */
export function OptOutsPage() {
  const [{ tenant_id, external_number }, setFilters] = useFilters();
  const [isAdding, setAdding] = useState(false);
  const [lifted, setLifted] = useState<OptOut>();
  const optOuts = useList(['opt_outs', tenant_id, external_number], (api, page) =>
    api.optOuts.list({ ...page, tenant_id, external_number }),
  );
  const add = (
    <Button kind="primary" onPress={() => setAdding(true)}>
      <Plus aria-hidden /> Add an opt-out
    </Button>
  );
  return (
    <Page
      title="Opt-outs"
      about="People who get no texts of a tenant, and no calls in which its software speaks. An opt-out never expires; the person’s own START lifts it."
      actions={add}
    >
      <FilterBar>
        <TenantFilter />
        <FilterText
          label="Person"
          placeholder="+16025550143"
          parse={e164Of}
          value={external_number}
          onChange={(number) => setFilters({ external_number: number })}
        />
      </FilterBar>
      <Candidates tenantId={tenant_id} />
      <DataList
        label="Opt-outs"
        list={optOuts}
        rowId={(row) => `${row.tenant_id}:${row.external_number}`}
        columns={[
          { title: 'Person', cell: (row) => <Person tenantId={row.tenant_id} number={row.external_number} /> },
          { title: 'Tenant', cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: 'Stops', cell: ({ channels }) => stopped(channels) },
          { title: 'Set by', cell: ({ source }) => <Badge>{words(source)}</Badge> },
          { title: 'Since', cell: (row) => <Moment at={row.opted_out_at} tenantId={row.tenant_id} /> },
          {
            title: 'Actions',
            align: 'end',
            cell: (row) =>
              isLiftable(row) ? (
                <Button
                  small
                  aria-label={`Lift the opt-out of ${formatNumber(row.external_number)}`}
                  onPress={() => setLifted(row)}
                >
                  Lift
                </Button>
              ) : (
                'by START alone'
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
  if (isFiltered) return <EmptyState title="This person has not opted out">Change the filters above.</EmptyState>;
  return (
    <EmptyState
      title="Nobody has opted out"
      curl={<Curl method="POST" path="/v1/opt_outs" body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }} />}
    >
      Who texts STOP is listed here, and gets no more texts and no calls of software. Add those that you know of from
      elsewhere.
    </EmptyState>
  );
}
