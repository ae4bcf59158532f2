import type { PersonErasure } from '@dialplane/sdk/resources';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { useReadWhile } from '../../app/read-while.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ErasePerson } from './erase-person.tsx';

/** The requests to erase people, with what each has removed so far. */
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
      <UserX aria-hidden /> Erase a person
    </Button>
  );
  return (
    <Page
      title="Erasures"
      about="People who were removed from a tenant. An erasure does not name the person once it is completed."
      actions={ask}
    >
      <TenantFilterBar />
      <DataList
        label="Erasures"
        list={erasures}
        rowId={({ id }) => id}
        columns={[
          { title: 'Asked for', cell: (row) => <Moment at={row.created_at} tenantId={row.tenant_id} format="log" /> },
          { title: 'Tenant', cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Removed', cell: ({ counts }) => removedOf(counts), width: '2fr' },
          {
            title: 'Completed',
            cell: (row) => <Moment at={row.completed_at} tenantId={row.tenant_id} />,
            align: 'end',
          },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? 'No person was erased' : 'No person of this tenant was erased'}
            curl={
              <Curl
                method="POST"
                path="/v1/person_erasures"
                body={{ tenant_id: 'tnt_…', external_number: '+16025550143' }}
              />
            }
          >
            An erasure removes the texts, calls and audio of a person. Opt-outs and usage stay.
          </EmptyState>
        }
      />
      {isAsking && <ErasePerson tenantId={tenant_id} onClose={() => setAsking(false)} />}
    </Page>
  );
}

const NAMES: Readonly<Record<keyof PersonErasure['counts'], string>> = {
  messages: 'texts',
  conversations: 'conversations',
  notes: 'notes',
  contacts: 'contacts',
  calls: 'calls',
  recordings: 'recordings',
  voicemails: 'voicemails',
  opt_in_submissions: 'form submissions',
  events: 'events',
};

/** Returns the removed things in words, such as "4 texts, 1 conversations". */
function removedOf(counts: PersonErasure['counts']): string {
  const kinds = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const removed = kinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${NAMES[kind]}`);
  return removed.length === 0 ? '–' : removed.join(', ');
}
