import { Link } from '@tanstack/react-router';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useLive, useRecentEvents } from '../../app/live.tsx';
import { ResourceLink } from '../../app/resource-link.tsx';
import { texts } from '../../texts/phones.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { OneZone } from '../../ui/one-zone.tsx';
import css from './phones.module.css';

const t = texts.feed;

const STATES = { connecting: t.connecting, connected: t.live, disconnected: t.reconnecting } as const;

/** The events since the page was opened, in the form that webhooks receive. */
export function EventFeed() {
  const ledger = useLedger();
  const { state } = useLive();
  const events = useRecentEvents();
  return (
    <section aria-label={t.events} className={css.feed}>
      <header className={css.head}>
        <h2>{t.events}</h2>
        <span className={css.space} />
        <Badge tone={state === 'connected' ? 'ok' : 'warn'}>{STATES[state]}</Badge>
      </header>
      {events.length === 0 && <p className={css.none}>{t.whatPhonesDo}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it */}
      <div className={css.scroll} role="log" aria-label={t.events} tabIndex={0}>
        <OneZone>
          <ol className={css.events}>
            {events.map(({ id, type, resource_id, created_at, tenant_id }) => (
              <li key={id}>
                <Link to={ledgerPath(ledger, `events/${id}`)}>
                  <code>{type}</code>
                </Link>
                <span className={css.eventFacts}>
                  <ResourceLink isShort id={resource_id} />
                  <Moment at={created_at} tenantId={tenant_id} format="time" />
                </span>
              </li>
            ))}
          </ol>
        </OneZone>
      </div>
    </section>
  );
}
