import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { texts } from '../../texts/overview.ts';
import { Notice } from '../../ui/notice.tsx';
import { Failing, isFailing } from '../webhooks/failing.tsx';
import css from './overview.module.css';

const t = texts.failingEndpoints;

const EVERY_MS = 15_000;

/** Reads the webhook endpoints. */
export function useEndpoints() {
  return useList(['webhook_endpoints'], (api, page) => api.webhookEndpoints.list(page), { everyMs: EVERY_MS });
}

/** The webhook endpoints that do not accept events. Shows nothing if all accept them. */
export function FailingEndpoints() {
  const ledger = useLedger();
  const endpoints = useEndpoints();
  const failing = endpoints.rows.filter(isFailing);
  if (failing.length === 0) return null;
  return (
    <Notice tone="bad" title={failing.length === 1 ? t.webhookEndpointFails : t.webhookEndpointsFail(failing.length)}>
      <ul className={css.lines}>
        {failing.map((endpoint) => (
          <li key={endpoint.id}>
            <Link to={ledgerPath(ledger, `webhooks/${endpoint.id}`)} className={css.endpoint ?? ''}>
              {endpoint.url}
            </Link>
            <Failing endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
