import type { Campaign, PhoneNumber } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { type List, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useNumbersOf } from '../../app/tenant-numbers.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import css from './compliance.module.css';

/** The numbers of a campaign: attach and detach. */
export function CampaignNumbers({ campaign }: { campaign: Campaign }) {
  const ledger = useLedger();
  const [detached, setDetached] = useState<PhoneNumber>();
  const numbers = useNumbersOf(campaign.tenant_id);
  const its = { ...numbers, rows: numbers.rows.filter(({ campaign_id }) => campaign_id === campaign.id) };
  const detach = useWrite((api, id: string) => api.phoneNumbers.update(id, { campaign_id: null }), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => `${formatNumber(phone_number)} is detached.`,
    onDone: () => setDetached(undefined),
  });
  return (
    <>
      <Attach campaign={campaign} numbers={numbers} />
      <DataList
        label="Numbers of the campaign"
        list={its}
        tenantId={campaign.tenant_id}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `numbers/${id}`)}
        columns={[
          { title: 'Number', cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: 'Status', cell: ({ status }) => <Status status={status} /> },
          { title: 'Texts', cell: (number) => <Readiness number={number} campaign={campaign} /> },
          {
            title: 'Detach',
            align: 'end',
            cell: (number) => (
              <Button small onPress={() => setDetached(number)}>
                Detach
              </Button>
            ),
          },
        ]}
        empty={
          <EmptyState title="No numbers yet">
            Attach the numbers of the tenant that send what the campaign says.
          </EmptyState>
        }
      />
      <Confirm
        title={`Detach ${formatNumber(detached?.phone_number ?? '')}?`}
        isOpen={detached !== undefined}
        onClose={() => setDetached(undefined)}
        confirm="Detach"
        onConfirm={() => detached !== undefined && detach.mutate(detached.id)}
        isPending={detach.isPending}
        error={detach.error}
      >
        <p>A live number without a campaign cannot text. You can attach it again.</p>
      </Confirm>
    </>
  );
}

function Readiness({ number, campaign }: { number: PhoneNumber; campaign: Campaign }) {
  if (number.messaging_ready) return <Badge tone="ok">ready</Badge>;
  return (
    <Badge tone="warn">{campaign.status === 'approved' ? 'waits for the carrier' : 'waits for the approval'}</Badge>
  );
}

function Attach({ campaign, numbers }: { campaign: Campaign; numbers: List<PhoneNumber> }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const attach = useWrite((api, id: string) => api.phoneNumbers.update(id, { campaign_id: campaign.id }), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => `${formatNumber(phone_number)} is attached.`,
    onDone: () => setChosen(null),
  });
  const others = {
    ...numbers,
    rows: numbers.rows.filter(({ campaign_id, status }) => campaign_id !== campaign.id && status !== 'released'),
  };
  return (
    <>
      <div className={css.attach}>
        <PickField
          label="Another number of the tenant"
          list={others}
          optionOf={({ id, phone_number, campaign_id }) => ({
            id,
            text: `${formatNumber(phone_number)}${campaign_id === null ? '' : ' (of another campaign)'}`,
          })}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          isDisabled={chosen === null}
          isPending={attach.isPending}
          onPress={() => chosen !== null && attach.mutate(chosen)}
        >
          Attach
        </Button>
      </div>
      <ErrorNote error={attach.error} />
    </>
  );
}
