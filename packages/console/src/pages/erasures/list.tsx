import type { PersonErasure } from '@dialplane/sdk/resources';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useReadWhile } from '../../app/read-while.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/erasures.ts';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ErasePerson } from './erase-person.tsx';

const t = texts.list;

/** The requests to erase people, and the content that each has removed so far. */
export function ErasuresPage() {
  const [{ tenant_id }] = useFilters();
  const [isAsking, setAsking] = useState(false);
  const erasures = useList(['person_erasures', { tenant_id }], (api, page) =>
    api.personErasures.list({ ...page, tenant_id }),
  );
  useReadWhile(
    erasures.rows.some(({ status }) => status === 'pending'),
    erasures.reload,
  );
  const ask = (
    <Button kind="danger" onPress={() => setAsking(true)}>
      <UserX aria-hidden /> {t.eraseAPerson}
    </Button>
  );
  return (
    <Page title={t.erasures} about={t.peopleWhoWere} actions={ask}>
      <TenantFilterBar />
      <DataList
        label={t.erasures}
        list={erasures}
        rowId={({ id }) => id}
        columns={[
          { title: t.askedFor, cell: (row) => <Moment at={row.created_at} tenantId={row.tenant_id} format="log" /> },
          { title: t.tenant, cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.removed, cell: ({ counts }) => removedOf(counts), width: '2fr' },
          {
            title: t.completed,
            cell: (row) => <Moment at={row.completed_at} tenantId={row.tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noPersonWas : t.noPersonTenant}
            curl={
              <Curl
                method="POST"
                path="/v1/person_erasures"
                body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }}
              />
            }
          >
            {t.erasureRemovesTexts}
          </EmptyState>
        }
      />
      {isAsking && <ErasePerson tenantId={tenant_id} onClose={() => setAsking(false)} />}
    </Page>
  );
}

/** Returns the removed things in words, such as "4 texts, 1 conversations". */
function removedOf(counts: PersonErasure['counts']): string {
  const kinds = Object.keys(t.counts) as (keyof PersonErasure['counts'])[];
  const removed = kinds.filter((kind) => counts[kind] > 0).map((kind) => t.counts[kind](counts[kind]));
  return removed.length === 0 ? '–' : removed.join(', ');
}
