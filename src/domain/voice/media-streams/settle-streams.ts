import type { Tx } from '../../../db/database.ts';
import { cancelJobs } from '../../../queue/jobs/enqueue.ts';
import { meterUsage } from '../../billing/index.ts';
import { emitEvent } from '../../events/index.ts';
import type { CallEffect } from '../calls/call.ts';
import type { HeldCall, InLedger } from '../calls/queries.ts';
import { startedMinutes } from '../calls/rules.ts';
import { deadlineJobId } from './job-names.ts';
import { activateStream, endStream } from './queries.ts';
import { billedSeconds, endOf } from './rules.ts';
import { signalStreamEnd } from './stream-signal.ts';

/** Writes what the steps of a call did to its streams: status, event, usage. The call is held. */
export async function settleStreams(
  tx: Tx,
  ledger: InLedger,
  held: HeldCall,
  effects: readonly CallEffect[],
): Promise<void> {
  for (const effect of effects) {
    if (effect.do === 'activate_stream') await activate(tx, ledger, held, effect.streamId);
    if (effect.do === 'end_stream') await end(tx, ledger, held, effect);
  }
}

async function activate(tx: Tx, ledger: InLedger, { now }: HeldCall, id: string): Promise<void> {
  await cancelJobs(tx, ledger.ledgerId, [deadlineJobId(id)]);
  const stream = await activateStream(tx, ledger, { id, at: now });
  if (stream === undefined) return;
  const data = { ...stream, reason: null, billed_seconds: 0 };
  const { tenant_id: tenantId } = stream;
  await emitEvent(tx, ledger.ledgerId, { type: 'call.stream.started', tenantId, resourceId: id, data });
}

async function end(
  tx: Tx,
  ledger: InLedger,
  { now }: HeldCall,
  { streamId: id, reason, lateMs = 0 }: Extract<CallEffect, { do: 'end_stream' }>,
): Promise<void> {
  const ended = await endStream(tx, ledger, { id, at: now, reason, lateMs });
  if (ended === undefined) return;
  const { billed_ms: billedMs, ...stream } = ended;
  const { tenant_id: tenantId, call_id: callId } = stream;
  const { ledgerId } = ledger;
  await cancelJobs(tx, ledgerId, [deadlineJobId(id)]);
  const usage = {
    kind: 'stream_minute',
    tenantId,
    quantity: startedMinutes(billedMs),
    reference: `stream:${id}`,
  } as const;
  await meterUsage(tx, ledgerId, [usage]);
  const type = endOf(reason) === 'failed' ? 'call.stream.failed' : 'call.stream.stopped';
  const data = { ...stream, reason, billed_seconds: billedSeconds(billedMs) };
  await emitEvent(tx, ledgerId, { type, tenantId, resourceId: id, data });
  signalStreamEnd(tx, { streamId: id, callId, reason });
}
