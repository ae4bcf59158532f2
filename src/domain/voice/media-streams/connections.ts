/** Stream lifecycle as reported by the gateway; callable from any process. */
import type { Database, Tx } from '../../../db/database.ts';
import { monotonicMs, sleep } from '../../../lib/time/time.ts';
import { isQueueFull } from '../calls/commands/lane-queries.ts';
import { type Stepped, stepCallWith } from '../calls/execution/executor.ts';
import { isClientHeld } from '../calls/machine/streaming.ts';
import { readCallState } from '../calls/queries.ts';
import type { StreamEnding, StreamStopReason } from '../calls/state/call.ts';
import type { CallInput } from '../calls/state/call-step.ts';
import {
  type ClaimedStream,
  findStreamState,
  isStreamPending,
  type StreamState,
  setConnectError,
  useToken,
} from './connection-queries.ts';
import { hashStreamToken } from './rules.ts';

type Connection = { readonly streamId: string; readonly token: string; readonly nodeId: string };

/**
 * The reason why a token opens no stream. `elsewhere`: another node has the audio, and only that node can check the
 * token.
 */
export type ClaimRefusal = 'no_stream' | 'elsewhere' | 'bad_token';

/**
 * Uses up a stream's token, once across all processes. `bad_token`: the token is wrong or used, even if the stream is
 * over. `no_stream`: the stream does not exist, or it is over and no client connected.
 */
export async function claimStream(
  db: Database,
  { streamId, token, nodeId }: Connection,
): Promise<ClaimedStream | ClaimRefusal> {
  const claimed = await useToken(db, { streamId, nodeId, tokenHash: hashStreamToken(token) });
  if (claimed !== undefined) return claimed;
  const state = await findStreamState(db, streamId);
  return state?.token_used === true ? 'bad_token' : refusalOf(state, nodeId);
}

function refusalOf(state: StreamState | undefined, nodeId: string): ClaimRefusal {
  if (state === undefined || state.stop_reason !== null) return 'no_stream';
  return state.node_id === nodeId ? 'bad_token' : 'elsewhere';
}

const DISPATCH_CHECK_MS = 20;
const DISPATCH_WITHIN_MS = 2_000;

/**
 * Resolves when the carrier has answered the request for the stream's audio, or after 2 s. So an early client does not
 * start a stream that the carrier refuses. Resolves immediately while the customer has not answered, because there is
 * no request yet.
 */
export async function untilStreamRequested(db: Database, streamId: string): Promise<void> {
  const deadline = monotonicMs() + DISPATCH_WITHIN_MS;
  while ((await isStreamPending(db, streamId)) && monotonicMs() < deadline) await sleep(DISPATCH_CHECK_MS);
}

const ANNOUNCEMENT_CHECK_MS = 100;

/**
 * Handles the connection of a claimed stream's client. Resolves when its audio may start, which is after the required
 * announcement. The result is null, or the reason if the stream has ended since the claim.
 */
export async function connectStream(db: Database, streamId: string): Promise<StreamStopReason | null> {
  for (;;) {
    const stepped = await stepCallOf(db, streamId, { type: 'stream_connected', streamId });
    const stream = stepped?.call.stream;
    if (stream?.id !== streamId) return (await findStreamState(db, streamId))?.stop_reason ?? 'call_ended';
    if (stream.connected) return null;
    await untilAnnounced(db, streamId);
    await untilStreamRequested(db, streamId);
  }
}

/** Resolves when the stream's client no longer waits for an announcement. Reads the call without a lock. */
async function untilAnnounced(db: Database, streamId: string): Promise<void> {
  const state = await findStreamState(db, streamId);
  if (state === undefined) return;
  const { ledger_id: ledgerId, call_id: callId } = state;
  for (;;) {
    await sleep(ANNOUNCEMENT_CHECK_MS);
    const call = await readCallState(db, { ledgerId }, callId);
    if (call === undefined || !isClientHeld(call.state, streamId)) return;
  }
}

/**
 * The end of a stream at the gateway. `connectError`: why its client could not be connected, if the stream ended for
 * that reason.
 */
export type GatewayEnding = StreamEnding & { readonly connectError?: string | undefined };

/** Handles the end of a stream at the gateway. A stream that is over does not change. */
export async function closeStream(
  db: Database,
  streamId: string,
  { connectError, ...ending }: GatewayEnding,
): Promise<void> {
  // The call is locked first, as every writer does.
  const keepError = async (tx: Tx) => {
    if (connectError !== undefined) await setConnectError(tx, streamId, connectError);
  };
  await stepCallOf(db, streamId, { type: 'stream_over', streamId, ...ending }, keepError);
}

/** Sends digits to the customer of a stream's call. Returns false if the call cannot take them. */
export async function sendStreamDigits(db: Database, streamId: string, digits: string): Promise<boolean> {
  const state = await findStreamState(db, streamId);
  if (state === undefined || (await isQueueFull(db, { ledgerId: state.ledger_id }, state.call_id))) return false;
  const stepped = await stepCallOf(db, streamId, { type: 'send_digits', digits });
  return stepped !== undefined && stepped.refusal === undefined;
}

async function stepCallOf(
  db: Database,
  streamId: string,
  input: CallInput,
  onLocked: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<Stepped | undefined> {
  const state = await findStreamState(db, streamId);
  if (state === undefined) return undefined;
  const { ledger_id: ledgerId, call_id: callId } = state;
  return db.transaction((tx) =>
    stepCallWith(tx, { ledgerId }, callId, { inputs: [input], onLocked: () => onLocked(tx) }),
  );
}
