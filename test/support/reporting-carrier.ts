import { createHmac } from 'node:crypto';
import type { AdapterKind, CarrierRequest, Ingress, Notice, Translation } from '../../src/carriers/adapter.ts';
import { findNumberOwner } from '../../src/carriers/connections/owner-queries.ts';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { Db } from '../../src/db/database.ts';
import { isSameText } from '../../src/lib/crypto/same-text.ts';
import { now } from '../../src/lib/time/time.ts';

/** A report of the reporting carrier about the call or text named by `key`. `to` is a number of its connection. */
export type Report = { readonly id: string; readonly key: string; readonly to: string } & (
  | { readonly type: 'text'; readonly from: string; readonly body: string }
  | { readonly type: 'receipt'; readonly status: 'sent' | 'delivered' }
  | { readonly type: 'arrived'; readonly from: string; readonly leg: string }
  | { readonly type: 'ended'; readonly leg: string }
  | { readonly type: 'weather' }
);

/** Returns the headers that sign a body of the reporting carrier. */
export function signReport(secret: string, body: string, atMs = now()): Record<string, string> {
  const at = String(Math.floor(atMs / 1000));
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'x-at': at, 'x-signature': signature };
}

/** A kind of carrier that reports texts and calls, and accepts no commands. */
export const REPORTING_KIND: AdapterKind = {
  description: {
    kind: 'reporting',
    capabilities: [],
    settings: [],
    credentials: [{ name: 'secret', isRequired: true, description: 'Signs reports.' }],
  },
  make: () => ({
    connect: ({ id, credentials }) => ({
      carrier: { name: 'reporting' },
      check: async () => [],
      setup: async () => [],
      ingress: ingressOf(id, credentials['secret'] as string),
    }),
  }),
};

/** Returns why a request is refused: it is not signed with the secret, or is too old. Undefined if it is valid. */
export function reportProblem(secret: string, request: CarrierRequest): 'wrong_signature' | 'wrong_time' | undefined {
  const at = textOf(request, 'x-at');
  const signed = signReport(secret, request.body.toString(), Number(at) * 1000)['x-signature'] as string;
  if (!isSameText(textOf(request, 'x-signature'), signed)) return 'wrong_signature';
  return Math.abs(request.now.getTime() / 1000 - Number(at)) > 300 ? 'wrong_time' : undefined;
}

function ingressOf(connectionId: string, secret: string): Ingress {
  return {
    read: (request) => {
      const problem = reportProblem(secret, request);
      if (problem !== undefined) return problem;
      const body = request.body.toString();
      if (!body.startsWith('[')) return 'malformed';
      return (JSON.parse(body) as Report[]).map(({ id, key, type, ...rest }) => ({ id, key, type, body: rest }));
    },
    ownerOf: (db, { body }) => findNumberOwner(db, connectionId, (body as Report).to),
    translate: (db, notice) => translate(db, connectionId, notice),
  };
}

function textOf({ headers }: CarrierRequest, name: string): string {
  return String(headers[name] ?? '');
}

async function translate(db: Db, connectionId: string, { id, key, type, body }: Notice): Promise<Translation> {
  const { to, from, leg, status, body: text } = body as Record<'to' | 'from' | 'leg' | 'status' | 'body', string>;
  const ledger = await findNumberOwner(db, connectionId, to);
  if (ledger === undefined) return { is: 'foreign' };
  const events = (...all: CarrierEvent[]): Translation => ({ is: 'events', ledger, events: all });
  if (type === 'text') {
    return events({ type: 'message.received', carrierMessageId: id, from, to, body: text, mediaUrls: [] });
  }
  if (type === 'receipt') return events({ type: 'message.receipt', ref: key, status: status as 'sent' });
  if (type === 'arrived') return events({ type: 'call.arrived', callRef: key, legRef: leg, from, to });
  if (type !== 'ended') return { is: 'ignored' };
  const isKnown = (await db.query({ name: '', text: 'select 1 from calls where id = $1' }, [key])).length > 0;
  return isKnown ? events({ type: 'leg.ended', callRef: key, legRef: leg, cause: 'hangup' }) : { is: 'wait' };
}
