import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/overview.ts';
import { IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import css from './overview.module.css';

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
  const steps = useSteps();
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

/** Returns the steps, with the finished ones marked; undefined until all their data is read. */
function useSteps(): readonly Step[] | undefined {
  const { mode } = useLedger();
  const one = { limit: 1 };
  const tenants = useRead(['tenants', 'first'], (api) => api.tenants.list(one));
  const numbers = useRead(['phone_numbers', 'first'], (api) => api.phoneNumbers.list(one));
  const endpoints = useRead(['webhook_endpoints', 'first'], (api) => api.webhookEndpoints.list(one));
  const sent = useRead(['messages', 'first sent'], (api) => api.messages.list({ ...one, direction: 'outbound' }));
  const received = useRead(['messages', 'first received'], (api) =>
    api.messages.list({ ...one, direction: 'inbound' }),
  );
  const calls = useRead(['calls', 'first'], (api) => api.calls.list(one));
  const all = [tenants, numbers, endpoints, sent, received, calls];
  if (all.some(({ data }) => data === undefined)) return undefined;
  const [hasTenant, hasNumber, hasEndpoint, hasSent, hasReceived, hasCall] = all.map(
    ({ data }) => (data?.data.length ?? 0) > 0,
  ) as [boolean, boolean, boolean, boolean, boolean, boolean];
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
