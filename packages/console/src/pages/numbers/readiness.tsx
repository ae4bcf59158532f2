import type { Campaign, PhoneNumber } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import css from './numbers.module.css';

type Step = { readonly title: string; readonly isDone: boolean; readonly note?: string };

/** What stands between the number and its texts. */
export function Readiness({ number }: { number: PhoneNumber }) {
  const ledger = useLedger();
  const { campaign_id, messaging_ready } = number;
  // The simulated carrier asks for no campaign.
  const isFree = ledger.mode === 'test' && !messaging_ready && campaign_id === null;
  const { data: campaign } = useRead(['campaigns', campaign_id], (api) => api.campaigns.get(campaign_id as string), {
    enabled: campaign_id !== null,
  });
  return (
    <Card label="Ready for texts">
      <h2 className={css.heading}>
        Ready for texts <ReadyBadge number={number} isTest={isFree} />
      </h2>
      <ol className={css.steps}>
        {stepsOf(number, campaign).map(({ title, isDone, note }) => (
          <li key={title} className={isDone ? css.done : undefined}>
            {isDone ? <Check aria-label="done" /> : <Circle aria-label="missing" />}
            <div>
              {title}
              {note !== undefined && <p className={css.note}>{note}</p>}
            </div>
          </li>
        ))}
      </ol>
      {campaign_id !== null && <Link to={ledgerPath(ledger, `campaigns/${campaign_id}`)}>Open the campaign</Link>}
      {isFree && <p className={css.note}>In test mode the number sends texts now. A live number needs all of this.</p>}
    </Card>
  );
}

function ReadyBadge({ number, isTest }: { number: PhoneNumber; isTest: boolean }) {
  if (number.messaging_ready) return <Badge tone="ok">yes</Badge>;
  return isTest ? <Badge tone="info">yes, in test mode</Badge> : <Badge tone="warn">not yet</Badge>;
}

function stepsOf(number: PhoneNumber, campaign: Campaign | undefined): readonly Step[] {
  const isApproved = campaign?.status === 'approved';
  return [
    {
      title: 'The number is in service',
      isDone: number.status === 'active',
      ...(number.status !== 'active' && { note: `It is ${number.status}.` }),
    },
    { title: 'It can text', isDone: number.capabilities.includes('sms') },
    { title: 'A campaign is attached', isDone: number.campaign_id !== null },
    {
      title: 'The campaign is approved',
      isDone: isApproved,
      ...(campaign !== undefined && !isApproved && { note: `It is ${words(campaign.status)}.` }),
    },
    {
      title: 'The carrier has confirmed the number for the campaign',
      isDone: number.messaging_ready,
      ...(isApproved && !number.messaging_ready && { note: 'An event follows; this page shows it.' }),
    },
  ];
}
