import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
import { texts } from '../../texts/routing.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { describe } from './describe.ts';
import type { Behavior } from './draft.ts';
import { NewRouting } from './new-routing.tsx';
import { shortHours } from './spans.ts';

const t = texts.list;

/** All routing configs: who answers calls, and when. */
export function RoutingPage() {
  const ledger = useLedger();
  const [{ tenant_id }] = useFilters();
  const [isCreating, setCreating] = useState(false);
  const configs = useList(['routing_configs', { tenant_id }], (api, page) =>
    api.routingConfigs.list({ ...page, tenant_id }),
  );
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden /> {t.newRouting}
    </Button>
  );
  return (
    <Page title={t.routing} about={t.whoAnswersCalls} actions={create}>
      <TenantFilterBar />
      <DataList
        label={t.routing}
        list={configs}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `routing/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name },
          { title: t.tenant, cell: (config) => <TenantName id={config.tenant_id} /> },
          { title: t.open, cell: shortHours, width: '1.5fr' },
          { title: t.whenOpen, cell: (config) => describe(config.open_behavior as Behavior), width: '1.5fr' },
          {
            title: t.made,
            cell: (config) => <Moment at={config.created_at} tenantId={config.tenant_id} />,
            width: '0.8fr',
            align: 'end',
          },
        ]}
        empty={<NoRouting />}
      />
      <NewRouting isOpen={isCreating} onClose={() => setCreating(false)} tenantId={tenant_id} />
    </Page>
  );
}

function NoRouting() {
  const body = {
    tenant_id: 'tnt_…',
    name: t.frontDesk,
    open_behavior: { type: 'ring', targets: ['+16025550143'], no_answer: { type: 'voicemail' } },
  };
  return (
    <EmptyState title={t.noRoutingYet} curl={<Curl method="POST" path="/v1/routing_configs" body={body} />}>
      {t.routingSaysWho}
    </EmptyState>
  );
}
