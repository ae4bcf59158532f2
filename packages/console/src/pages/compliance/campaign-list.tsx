import type { Campaign } from '@dialplane/sdk/resources';
import type { ReactNode } from 'react';
import type { List } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { USE_CASES } from './texts.ts';

/** A list of campaigns. */
export function CampaignList({ list, empty }: { list: List<Campaign>; empty: ReactNode }) {
  const ledger = useLedger();
  return (
    <DataList
      label="Campaigns"
      list={list}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `campaigns/${id}`)}
      columns={[
        { title: 'What is sent', cell: ({ description }) => description, width: '2.5fr' },
        { title: 'Use case', cell: ({ use_case }) => USE_CASES[use_case] },
        { title: 'Status', cell: ({ status }) => <Status status={status} /> },
        { title: 'Tenant', cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
        {
          title: 'Made',
          cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
          align: 'end',
        },
      ]}
      empty={empty}
    />
  );
}
