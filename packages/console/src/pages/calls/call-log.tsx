import type { Call } from '@dialplane/sdk/resources';
import { formatLength } from '../../lib/dates.ts';
import { texts } from '../../texts/calls.ts';
import { words } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './call-log.module.css';

const t = texts.callLog;

/** The log of a call as a table. It has the same content as the drawing, in words. */
export function CallLog({ call }: { call: Call }) {
  const startMs = Date.parse(call.started_at);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls content that is longer than the box
    <div className={css.scroll} role="region" aria-label={t.logOfCall} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t.after}</th>
            <th scope="col">{t.time}</th>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.details}</th>
          </tr>
        </thead>
        <tbody>
          {call.events.map(({ type, at, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the log only grows at its end
            <tr key={index}>
              <td>{formatLength((Date.parse(at) - startMs) / 1000)}</td>
              <td>
                <Moment at={at} tenantId={call.tenant_id} format="time" />
              </td>
              <td>{words(type)}</td>
              <td>{detailText(detail)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function detailText(detail: object): string {
  return Object.entries(detail)
    .map(([name, value]) => `${words(name)}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
}
