import type { Campaign, PhoneNumber } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/numbers.ts';
import { Badge, words } from '../../ui/badge.tsx';
import { Card } from '../../ui/page.tsx';
import css from './numbers.module.css';

const t = texts.readiness;

type Step = { readonly title: string; readonly isDone: boolean; readonly note?: string };

/** The reasons why the number cannot send texts yet. */
export function Readiness({ number }: { number: PhoneNumber }) {
  const ledger = useLedger();
  const { campaign_id, messaging_ready } = number;
  // The simulated carrier requires no campaign.
  const isFree = ledger.mode === 'test' && !messaging_ready && campaign_id === null;
  const { data: campaign } = useRead(['campaigns', campaign_id], (api) => api.campaigns.get(campaign_id as string), {
    enabled: campaign_id !== null,
  });
  return (
    <Card label={t.readyForTexts}>
      <h2 className={css.heading}>
        {t.readyForTexts} <ReadyBadge number={number} isTest={isFree} />
      </h2>
      <ol className={css.steps}>
        {stepsOf(number, campaign).map(({ title, isDone, note }) => (
          <li key={title} className={isDone ? css.done : undefined}>
            {isDone ? <Check aria-label={t.done} /> : <Circle aria-label={t.missing} />}
            <div>
              {title}
              {note !== undefined && <p className={css.note}>{note}</p>}
            </div>
          </li>
        ))}
      </ol>
      {campaign_id !== null && <Link to={ledgerPath(ledger, `campaigns/${campaign_id}`)}>{t.openTheCampaign}</Link>}
      {isFree && <p className={css.note}>{t.testModeNumber}</p>}
    </Card>
  );
}

function ReadyBadge({ number, isTest }: { number: PhoneNumber; isTest: boolean }) {
  if (number.messaging_ready) return <Badge tone="ok">{t.yes}</Badge>;
  return isTest ? <Badge tone="info">{t.yesTestMode}</Badge> : <Badge tone="warn">{t.notYet}</Badge>;
}

function stepsOf(number: PhoneNumber, campaign: Campaign | undefined): readonly Step[] {
  const isApproved = campaign?.status === 'approved';
  return [
    {
      title: t.numberService,
      isDone: number.status === 'active',
      ...(number.status !== 'active' && { note: t.itIs(words(number.status)) }),
    },
    { title: t.itCanText, isDone: number.capabilities.includes('sms') },
    { title: t.campaignAttached, isDone: number.campaign_id !== null },
    {
      title: t.campaignApproved,
      isDone: isApproved,
      ...(campaign !== undefined && !isApproved && { note: t.itIs(words(campaign.status)) }),
    },
    {
      title: t.carrierConfirmedNumber,
      isDone: number.messaging_ready,
      ...(isApproved && !number.messaging_ready && { note: t.eventFollowsPage }),
    },
  ];
}
