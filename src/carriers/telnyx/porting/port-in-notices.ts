/** Handles Telnyx's reports about port-ins. Each is a hint to look up the orders. */
import { textAt } from '../../../lib/json-object.ts';
import type { Translation } from '../../adapter.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findPortInOwner } from './port-in-queries.ts';
import { lookUpPortIn } from './porting.ts';
import { PORT_IN_PATH } from './porting-submission.ts';

const FOREIGN: Translation = { is: 'foreign' };

/**
 * Looks up the port-in of a report. Without an answer from Telnyx there are no events. The product polls open port-ins
 * every five minutes anyway.
 */
export async function translatePortIn(line: TelnyxLine, payload: unknown): Promise<Translation> {
  const ref = refOfPortIn(payload) ?? (await askRef(line, payload));
  const owner =
    ref === undefined ? undefined : await findPortInOwner(line.db, { connectionId: line.connectionId, ref });
  if (owner === undefined || ref === undefined) return FOREIGN;
  const { ledger, attempt } = owner;
  const found = await lookUpPortIn(line, ledger, { ref, attempt });
  const reports = 'reports' in found ? found.reports : [];
  return {
    is: 'events',
    ledger,
    events: reports.map((report) => ({ type: 'port_in.report', ref, attempt, report })),
  };
}

/** Returns our id of a port-in. The signed body has it, either as the reference or in the address that we gave. */
export function refOfPortIn(payload: unknown): string | undefined {
  const address = textAt(payload, 'webhook_url') ?? '';
  const at = address.lastIndexOf(PORT_IN_PATH);
  const [ref] = at === -1 ? [] : address.slice(at + PORT_IN_PATH.length).split('/');
  return textAt(payload, 'customer_reference') || ref;
}

/**
 * Looks up our id of a port-in. Called for reports that have only Telnyx's id: about a comment, or about a split of an
 * order.
 */
async function askRef({ client }: TelnyxLine, payload: unknown): Promise<string | undefined> {
  const id = textAt(payload, 'porting_order_id') ?? textAt(payload, 'from', 'id') ?? textAt(payload, 'id');
  if (id === undefined) return undefined;
  const answer = await client.ask({ method: 'GET', path: '/porting_orders/{id}', params: { id } });
  return answer.is === 'answered' ? textAt(answer.body, 'data', 'customer_reference') : undefined;
}
