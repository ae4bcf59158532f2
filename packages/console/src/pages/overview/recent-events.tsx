import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useLive } from '../../app/live.tsx';
import { texts } from '../../texts/overview.ts';
import { Badge } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import { OneZone } from '../../ui/one-zone.tsx';
import { Card } from '../../ui/page.tsx';
import css from './overview.module.css';

const t = texts.recentEvents;

const SHOWN = 12;

/** The newest events, and whether the event socket is open. */
export function RecentEvents() {
  const ledger = useLedger();
  const { state } = useLive();
  const { data } = useRead(['events', 'newest'], (api) => api.events.list({ limit: SHOWN }));
  return (
    <Card label={t.newestEvents}>
      <div className={css.head}>
        <h2 className={css.heading}>{t.newestEvents}</h2>
        <Badge tone={state === 'connected' ? 'ok' : 'warn'}>{t.states[state]}</Badge>
      </div>
      {data?.data.length === 0 && <p className={css.dim}>{t.nothingHappenedYet}</p>}
      <OneZone>
        <ul className={css.lines}>
          {data?.data.map(({ id, type, created_at, tenant_id }) => (
            <li key={id}>
              <Link to={ledgerPath(ledger, `events/${id}`)}>
                <code>{type}</code>
              </Link>
              <span className={css.dim}>
                <Moment at={created_at} tenantId={tenant_id} format="time" />
              </span>
            </li>
          ))}
        </ul>
      </OneZone>
    </Card>
  );
}
