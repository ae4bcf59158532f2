import type { Queue } from '@dialplane/sdk/resources';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/call-queues.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { NewQueue } from './new-queue.tsx';

const t = texts.list;

/** The queues of waiting callers. */
export function QueuesPage() {
  const ledger = useLedger();
  const [isCreating, setCreating] = useState(false);
  const [{ tenant_id }] = useFilters();
  const queues = useList(['queues', 'list', tenant_id], (api, page) => api.callQueues.list({ ...page, tenant_id }));
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newQueue}
    </Button>
  );
  return (
    <Page title={t.queues} about={t.callersWaitHere} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.queues}
        list={queues}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `queues/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name, width: '1.3fr' },
          { title: t.tenant, cell: (queue) => <TenantName id={queue.tenant_id} />, width: '1.2fr' },
          { title: t.waiting, cell: ({ waiting }) => waiting, align: 'end', width: '0.6fr' },
          { title: t.agents, cell: ({ agents }) => agents.length, align: 'end', width: '0.6fr' },
          { title: t.free, cell: freeAgents, align: 'end', width: '0.6fr' },
        ]}
        empty={
          <EmptyState
            title={tenant_id === undefined ? t.noQueuesYet : t.tenantNoQueues}
            curl={<Curl method="POST" path="/v1/queues" body={{ tenant_id: tenant_id ?? 'tnt_…', name: t.support }} />}
          >
            {t.queueAgentsWeb}
          </EmptyState>
        }
      />
      {isCreating && <NewQueue tenantId={tenant_id} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function freeAgents({ agents }: Queue): number {
  return agents.filter(({ state }) => state === 'available').length;
}
