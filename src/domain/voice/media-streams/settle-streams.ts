import type { Tx } from '../../../db/database.ts';
import { isId } from '../../../lib/ids.ts';
import { cancelJobs } from '../../../queue/jobs/enqueue.ts';
import { meterUsage } from '../../billing/index.ts';
import { emitEvent } from '../../events/index.ts';
import type { InLedger } from '../calls/queries.ts';
import { type CallEffect, startedMinutes } from '../calls/state/call-step.ts';
import { dialRelay, openRelay, reportRelayEnd, reportRelayStart } from '../relays/settle-relays.ts';
import { activateStream, endStream } from './queries.ts';
import { billedSeconds, deadlineJobId, endOf } from './rules.ts';
import { signalStreamEnd } from './stream-signal.ts';

/** Writes the effects of a call's steps on its streams: status, event and usage. The call is locked. */
export async function settleStreams(
  tx: Tx,
  ledger: InLedger,
  { callId, tenantId, at }: { readonly callId: string; readonly tenantId: string; readonly at: Date },
  effects: readonly CallEffect[],
): Promise<void> {
  for (const effect of effects) {
    if (effect.do === 'open_relay') await openRelay(tx, ledger, { callId, tenantId, createdAt: at, ...effect });
    if (effect.do === 'dial_relay') await dialRelay(tx, ledger, { callId, relayId: effect.relayId });
    if (effect.do === 'activate_stream') await activate(tx, ledger, at, effect.streamId);
    if (effect.do === 'end_stream') await end(tx, ledger, at, effect);
  }
}

async function activate(tx: Tx, ledger: InLedger, at: Date, id: string): Promise<void> {
  await cancelJobs(tx, ledger.ledgerId, [deadlineJobId(id)]);
  const stream = await activateStream(tx, ledger, { id, at });
  if (stream === undefined) return;
  if (isId('call_relay', id)) return reportRelayStart(tx, ledger, id);
  const data = { ...stream, reason: null, billed_seconds: 0 };
  const { tenant_id: tenantId } = stream;
  await emitEvent(tx, ledger.ledgerId, { type: 'call.stream.started', tenantId, resourceId: id, data });
}

async function end(
  tx: Tx,
  ledger: InLedger,
  at: Date,
  { streamId: id, reason, lateMs = 0, relay }: Extract<CallEffect, { do: 'end_stream' }>,
): Promise<void> {
  const ended = await endStream(tx, ledger, { id, at, reason, lateMs });
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
  signalStreamEnd(tx, { streamId: id, callId, reason });
  if (relay !== undefined) return reportRelayEnd(tx, ledger, { id, ...relay, billedMs });
  const type = endOf(reason) === 'failed' ? 'call.stream.failed' : 'call.stream.stopped';
  const data = { ...stream, reason, billed_seconds: billedSeconds(billedMs) };
  await emitEvent(tx, ledgerId, { type, tenantId, resourceId: id, data });
}
