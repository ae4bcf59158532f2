/** The life of a stream's connection, as its gateway tells it. Each may be asked of any process. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { signToken, verifyToken } from '../../../lib/token.ts';
import type { CallInput, StreamEnding, StreamStopReason } from '../calls/call.ts';
import { type Stepped, stepCall } from '../calls/executor.ts';
import {
  type ClaimedStream,
  findStreamPlace,
  isStreamUntold,
  type StreamPlace,
  useIngest,
  useToken,
} from './connection-queries.ts';
import { hashStreamToken } from './rules.ts';

type Asked = { readonly streamId: string; readonly token: string; readonly nodeId: string };

/** Why a token opens nothing. `elsewhere`: the audio is on another node, which alone can say. */
export type ClaimRefusal = 'no_stream' | 'elsewhere' | 'bad_token';

/**
 * Uses up a stream's token, once over all processes. `bad_token`: it is wrong or used, also when the stream is long over;
 * `no_stream`: there is none, or it is over and nobody ever came.
 */
export async function claimStream(
  db: Database,
  { streamId, token, nodeId }: Asked,
): Promise<ClaimedStream | ClaimRefusal> {
  const claimed = await useToken(db, { streamId, nodeId, tokenHash: hashStreamToken(token) });
  if (claimed !== undefined) return claimed;
  const place = await findStreamPlace(db, streamId);
  return place?.token_used === true ? 'bad_token' : refusalOf(place, nodeId);
}

function refusalOf(place: StreamPlace | undefined, nodeId: string): ClaimRefusal {
  if (place === undefined || place.stop_reason !== null) return 'no_stream';
  return place.node_id === nodeId ? 'bad_token' : 'elsewhere';
}

const TOLD_LOOK_MS = 20;
const TOLD_WITHIN_MS = 2_000;

/**
 * Resolves when the carrier has answered whether it gives the stream's audio, or after 2 s: a client that connects at once
 * is not to begin a stream that cannot be. Where the customer is not even dialled yet there is nothing to wait for.
 */
export async function untilCarrierTold(db: Database, streamId: string): Promise<void> {
  const deadline = performance.now() + TOLD_WITHIN_MS;
  while ((await isStreamUntold(db, streamId)) && performance.now() < deadline) await sleep(TOLD_LOOK_MS);
}

/** The client of a claimed stream is connected. Null, or why the stream has been ended meanwhile. */
export async function connectStream(db: Database, streamId: string): Promise<StreamStopReason | null> {
  const stepped = await stepCallOf(db, streamId, { type: 'stream_connected', streamId });
  if (stepped?.call.stream?.id === streamId) return null;
  const place = await findStreamPlace(db, streamId);
  return place?.stop_reason ?? 'call_ended';
}

/** A stream has come to its end at the gateway; one that is over stays as it is. */
export async function closeStream(db: Database, streamId: string, ending: StreamEnding): Promise<void> {
  await stepCallOf(db, streamId, { type: 'stream_over', streamId, ...ending });
}

async function stepCallOf(db: Database, streamId: string, input: CallInput): Promise<Stepped | undefined> {
  const place = await findStreamPlace(db, streamId);
  if (place === undefined) return undefined;
  const { ledger_id: ledgerId, call_id: callId } = place;
  return db.transaction((tx) => stepCall(tx, { ledgerId }, callId, [input]));
}

const INGEST_PREFIX = 'svcin_';
const INGEST_KEY_LABEL = 'media-ingest';
/** Far longer than a carrier takes to connect. */
const INGEST_LIFE_S = 120;

/** The token with which a carrier brings the audio of a stream: signed, stored nowhere, good once. */
export function mintIngestToken({ cipher, clock }: Pick<Context, 'cipher' | 'clock'>, streamId: string): string {
  const expiresAtS = Math.floor(clock.now() / 1000) + INGEST_LIFE_S;
  const key = cipher.deriveKey(INGEST_KEY_LABEL);
  return signToken({ key, prefix: INGEST_PREFIX, claims: { stream: streamId }, expiresAtS });
}

/** As `claimStream`, for the carrier's own connection. */
export async function claimIngest(
  { cipher, clock, db }: Pick<Context, 'cipher' | 'clock' | 'db'>,
  { streamId, token, nodeId }: Asked,
): Promise<ClaimedStream | ClaimRefusal> {
  const key = cipher.deriveKeys(INGEST_KEY_LABEL);
  const verdict = verifyToken({ key, prefix: INGEST_PREFIX, token, nowS: clock.now() / 1000 });
  const isOurs = verdict.ok && verdict.claims['stream'] === streamId;
  const claimed = isOurs ? await useIngest(db, { streamId, nodeId }) : undefined;
  if (claimed !== undefined) return claimed;
  return refusalOf(await findStreamPlace(db, streamId), nodeId);
}
