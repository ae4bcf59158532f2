import type { Campaign } from '@dialplane/sdk/resources';
import type { ReactNode } from 'react';
import type { List } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { texts } from '../../texts/compliance.ts';
import { Status } from '../../ui/badge.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Moment } from '../../ui/moment.tsx';
import { USE_CASES } from './texts.ts';

const t = texts.campaignList;

/** A list of campaigns. */
export function CampaignList({ list, empty }: { list: List<Campaign>; empty: ReactNode }) {
  const ledger = useLedger();
  return (
    <DataList
      label={t.campaigns}
      list={list}
      rowId={({ id }) => id}
      rowLink={({ id }) => ledgerPath(ledger, `campaigns/${id}`)}
      columns={[
        { title: t.whatIsSent, cell: ({ description }) => description, width: '2.5fr' },
        { title: t.useCase, cell: ({ use_case }) => USE_CASES[use_case] },
        { title: t.status, cell: ({ status }) => <Status status={status} /> },
        { title: t.tenant, cell: ({ tenant_id }) => <TenantName id={tenant_id} /> },
        {
          title: t.made,
          cell: ({ created_at, tenant_id }) => <Moment at={created_at} tenantId={tenant_id} />,
          align: 'end',
        },
      ]}
      empty={empty}
    />
  );
}
