import type { Call } from '@dialplane/sdk/resources';
import { formatLength } from '../../lib/dates.ts';
import { words } from '../../ui/badge.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './call-log.module.css';

/** The log of a call as a table: the same as the drawing, in words. */
export function CallLog({ call }: { call: Call }) {
  const startMs = Date.parse(call.started_at);
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">After</th>
            <th scope="col">Time</th>
            <th scope="col">What</th>
            <th scope="col">Details</th>
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
