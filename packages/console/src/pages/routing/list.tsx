import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilterBar } from '../../app/tenant-filter.tsx';
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
      <Plus aria-hidden /> New routing
    </Button>
  );
  return (
    <Page title="Routing" about="Who answers the calls to a number, in its hours and outside of them." actions={create}>
      <TenantFilterBar />
      <DataList
        label="Routing"
        list={configs}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `routing/${id}`)}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Tenant', cell: (config) => <TenantName id={config.tenant_id} /> },
          { title: 'Open', cell: shortHours, width: '1.5fr' },
          { title: 'When open', cell: (config) => describe(config.open_behavior as Behavior), width: '1.5fr' },
          {
            title: 'Made',
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
    name: 'Front desk',
    open_behavior: { type: 'ring', targets: ['+16025550143'], no_answer: { type: 'voicemail' } },
  };
  return (
    <EmptyState title="No routing yet" curl={<Curl method="POST" path="/v1/routing_configs" body={body} />}>
      Routing says who rings when a number is called: telephones, web clients or your software, with opening hours,
      menus and a voicemail. Numbers of a tenant share it.
    </EmptyState>
  );
}
