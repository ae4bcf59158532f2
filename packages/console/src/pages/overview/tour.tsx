import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/overview.ts';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { useEndpoints } from './failing-endpoints.tsx';
import css from './overview.module.css';
import { useFates } from './recent-texts.ts';
import { useRunningCalls } from './running-calls.ts';

const t = texts.tour;

type Step = { readonly page: string; readonly title: string; readonly about: string; readonly isDone: boolean };

const KEY = 'dialplane.console.tour';

/**
 * Leads a newcomer from an empty account to the first text, reply and call. It disappears when all steps are done, or
 * when the person closes it.
 */
export function Tour() {
  const ledger = useLedger();
  const name = `${KEY} ${ledger.accountId} ${ledger.mode}`;
  const [isClosed, setClosed] = useState(() => localStorage.getItem(name) === 'closed');
  const steps = useSteps(isClosed);
  if (isClosed || steps === undefined || steps.every(({ isDone }) => isDone)) return null;
  const close = () => {
    localStorage.setItem(name, 'closed');
    setClosed(true);
  };
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card label={t.firstSteps}>
      <div className={css.head}>
        <h2 className={css.heading}>{t.firstSteps}</h2>
        <IconButton label={t.hideFirstSteps} small onPress={close}>
          <X />
        </IconButton>
      </div>
      <ol className={css.steps}>
        {steps.map(({ page, title, about, isDone }, index) => (
          <li key={title} className={isDone ? css.done : index === next ? css.next : undefined}>
            <span className={css.mark}>{isDone ? <Check aria-label={t.done} /> : index + 1}</span>
            <div>
              <Link to={ledgerPath(ledger, page)}>{title}</Link>
              <p>{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/**
 * Returns the steps, with the finished ones marked; undefined until all their data is read. Reads few lists: most data
 * is on the overview too, and a text is sent from a number, which a tenant has.
 */
function useSteps(isClosed: boolean): readonly Step[] | undefined {
  const { mode } = useLedger();
  const one = { limit: 1 };
  const endpoints = useEndpoints();
  const sent = useFates().data;
  const calls = useRunningCalls().data;
  const hasSent = sent !== undefined && sent.data.length > 0;
  const hasNone = sent !== undefined && !hasSent;
  const read = (isNeeded: boolean) => ({ enabled: isNeeded && !isClosed });
  const numbers = useRead(['phone_numbers', 'first'], (api) => api.phoneNumbers.list(one), read(hasNone));
  const hasNumber = hasSent || (numbers.data?.data.length ?? 0) > 0;
  const hasNoNumber = hasNone && numbers.data !== undefined && !hasNumber;
  const tenants = useRead(['tenants', 'first'], (api) => api.tenants.list(one), read(hasNoNumber));
  const received = useRead(
    ['messages', 'first received'],
    (api) => api.messages.list({ ...one, direction: 'inbound' }),
    read(hasNumber),
  );
  const hasTenant = hasNumber || (tenants.data?.data.length ?? 0) > 0;
  const isRead = hasNumber ? received.data !== undefined : tenants.data !== undefined;
  if (!isRead || calls === undefined || endpoints.isLoading || endpoints.error !== null) return undefined;
  const hasEndpoint = endpoints.rows.length > 0;
  const hasReceived = (received.data?.data.length ?? 0) > 0;
  const { hasCall } = calls;
  const isTest = mode === 'test';
  return [
    { page: 'tenants', title: t.makeATenant, about: t.customerYourPlatform, isDone: hasTenant },
    {
      page: 'numbers',
      title: t.buyANumber,
      about: t.searchAreaCode,
      isDone: hasNumber,
    },
    {
      page: 'webhooks',
      title: t.addWebhookEndpoint,
      about: t.yourServerGets,
      isDone: hasEndpoint,
    },
    { page: 'inbox', title: t.sendAText, about: t.writeInboxSee, isDone: hasSent },
    {
      page: isTest ? 'phones' : 'inbox',
      title: t.letThemAnswer,
      about: isTest ? t.textBackFrom : t.repliesNumberAppear,
      isDone: hasReceived,
    },
    {
      page: isTest ? 'phones' : 'calls',
      title: t.makeACall,
      about: isTest ? t.callNumberFrom : t.ringsYourTelephone,
      isDone: hasCall,
    },
  ];
}
