/** The writes of a call's steps about its relays, in their transaction. The call is locked. */
import type { Tx } from '../../../db/database.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvent } from '../../events/index.ts';
import type { InLedger } from '../calls/queries.ts';
import type { RelayEnding } from '../calls/state/call-relay.ts';
import { chooseNode } from '../media-streams/node-queries.ts';
import { billedSeconds, deadlineJobId, STREAM_DEADLINE, type StreamDeadline } from '../media-streams/rules.ts';
import { signalStreamDial } from '../media-streams/stream-signal.ts';
import { findRelay, insertRelay, markDialled, type NewRelay, setRelayEnd } from './queries.ts';
import type { Relay } from './schema.ts';

/** The time limit for connecting an agent. */
const CONNECTED_WITHIN_MS = 10_000;

/** The node of a relay that is opened while no gateway is up. The sweep of lost gateways ends such a relay. */
const NO_NODE = 'none';

/** Adds a relay, on the gateway with the call's audio, or else on the gateway with the fewest streams. */
export async function openRelay(
  tx: Tx,
  ledger: InLedger,
  { relayId: id, callId, tenantId, createdAt, settings }: Omit<NewRelay, 'id' | 'nodeId'> & { relayId: string },
): Promise<void> {
  const nodeId = (await chooseNode(tx, ledger, { callId })) ?? NO_NODE;
  await insertRelay(tx, ledger, { id, callId, tenantId, nodeId, createdAt, settings });
}

/** Signals the gateway to connect the relay, after the announcement to the customer. */
export async function dialRelay(
  tx: Tx,
  ledger: InLedger,
  { callId, relayId }: { readonly callId: string; readonly relayId: string },
): Promise<void> {
  const nodeId = await markDialled(tx, ledger, relayId);
  if (nodeId === undefined) return;
  const payload: StreamDeadline = { callId, streamId: relayId };
  const job = { id: deadlineJobId(relayId), kind: STREAM_DEADLINE, queue: 'voice', payload } as const;
  await enqueue(tx, [{ ...job, ledgerId: ledger.ledgerId, delayMs: CONNECTED_WITHIN_MS }]);
  signalStreamDial(tx, { streamId: relayId, nodeId });
}

/** Emits the event that the agent is connected. */
export async function reportRelayStart(tx: Tx, ledger: InLedger, id: string): Promise<void> {
  const relay = await findRelay(tx, ledger, id);
  if (relay !== undefined) await emit(tx, ledger, 'call.relay.started', { relay, billedMs: 0 });
}

/** Stores why a relay has ended, and emits the event of its end. */
export async function reportRelayEnd(
  tx: Tx,
  ledger: InLedger,
  { billedMs, ...ended }: RelayEnding & { readonly id: string; readonly billedMs: number },
): Promise<void> {
  const relay = await setRelayEnd(tx, ledger, ended);
  await emit(tx, ledger, 'call.relay.ended', { relay, billedMs });
}

async function emit(
  tx: Tx,
  { ledgerId }: InLedger,
  type: 'call.relay.started' | 'call.relay.ended',
  { relay, billedMs }: { readonly relay: Relay; readonly billedMs: number },
): Promise<void> {
  const { tenant_id: tenantId, id: resourceId } = relay;
  const data = { ...relay, billed_seconds: billedSeconds(billedMs) };
  await emitEvent(tx, ledgerId, { type, tenantId, resourceId, data });
}
