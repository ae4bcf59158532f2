import type { Campaign, PhoneNumber } from '@dialplane/sdk/resources';
import { useState } from 'react';
import { type List, useWrite } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useNumbersOf } from '../../app/tenant-numbers.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/compliance.ts';
import { Badge, Status } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PickField } from '../../ui/pick-field.tsx';
import css from './compliance.module.css';

const t = texts.campaignNumbers;

/** The numbers of a campaign: attach and detach. */
export function CampaignNumbers({ campaign }: { campaign: Campaign }) {
  const ledger = useLedger();
  const [detached, setDetached] = useState<PhoneNumber>();
  const numbers = useNumbersOf(campaign.tenant_id);
  const its = {
    ...numbers,
    whole: undefined,
    rows: numbers.rows.filter(({ campaign_id }) => campaign_id === campaign.id),
  };
  const detach = useWrite((api, id: string) => api.phoneNumbers.update(id, { campaign_id: null }), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => t.isDetached(formatNumber(phone_number)),
    onDone: () => setDetached(undefined),
  });
  return (
    <>
      <Attach campaign={campaign} numbers={numbers} />
      <DataList
        label={t.numbersCampaign}
        list={its}
        tenantId={campaign.tenant_id}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `numbers/${id}`)}
        columns={[
          { title: t.number, cell: ({ phone_number }) => formatNumber(phone_number) },
          { title: t.status, cell: ({ status }) => <Status status={status} /> },
          { title: t.texts, cell: (number) => <Readiness number={number} campaign={campaign} /> },
          {
            title: t.detach,
            align: 'end',
            cell: (number) => (
              <Button small onPress={() => setDetached(number)}>
                {t.detach}
              </Button>
            ),
          },
        ]}
        empty={<EmptyState title={t.noNumbersYet}>{t.attachNumbersTenant}</EmptyState>}
      />
      <Confirm
        title={t.detachOf(formatNumber(detached?.phone_number ?? ''))}
        isOpen={detached !== undefined}
        onClose={() => setDetached(undefined)}
        confirm={t.detach}
        onConfirm={() => detached !== undefined && detach.mutate(detached.id)}
        isPending={detach.isPending}
        error={detach.error}
      >
        <p>{t.liveNumberWithout}</p>
      </Confirm>
    </>
  );
}

function Readiness({ number, campaign }: { number: PhoneNumber; campaign: Campaign }) {
  if (number.messaging_ready) return <Badge tone="ok">{t.ready}</Badge>;
  return <Badge tone="warn">{campaign.status === 'approved' ? t.waitsCarrier : t.waitsApproval}</Badge>;
}

function Attach({ campaign, numbers }: { campaign: Campaign; numbers: List<PhoneNumber> }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const attach = useWrite((api, id: string) => api.phoneNumbers.update(id, { campaign_id: campaign.id }), {
    changes: ['phone_numbers'],
    done: ({ phone_number }) => t.isAttached(formatNumber(phone_number)),
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
          label={t.anotherNumberTenant}
          list={others}
          optionOf={({ id, phone_number, campaign_id }) => ({
            id,
            text: `${formatNumber(phone_number)}${campaign_id === null ? '' : t.ofAnotherCampaign}`,
          })}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          isDisabled={chosen === null}
          isPending={attach.isPending}
          onPress={() => chosen !== null && attach.mutate(chosen)}
        >
          {t.attach}
        </Button>
      </div>
      <ErrorNote error={attach.error} />
    </>
  );
}
