/** The life of a stream's connection, as its gateway tells it. Each may be asked of any process. */
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { signToken, verifyToken } from '../../../lib/token.ts';
import type { CallInput, StreamEnding } from '../calls/call.ts';
import { type Stepped, stepCall } from '../calls/executor.ts';
import { type ClaimedStream, findStreamPlace, useIngest, useToken } from './connection-queries.ts';
import { hashStreamToken } from './rules.ts';

type Asked = { readonly streamId: string; readonly token: string; readonly nodeId: string };

/**
 * Uses up a stream's token, once over all processes. `not_here`: no such stream, or it is over or another node's;
 * `bad_token`: wrong, expired or used.
 */
export async function claimStream(
  db: Database,
  { streamId, token, nodeId }: Asked,
): Promise<ClaimedStream | 'not_here' | 'bad_token'> {
  const claimed = await useToken(db, { streamId, nodeId, tokenHash: hashStreamToken(token) });
  if (claimed !== undefined) return claimed;
  const place = await findStreamPlace(db, streamId);
  return place?.live === true && place.node_id === nodeId ? 'bad_token' : 'not_here';
}

/** The client of a claimed stream is connected; false if the stream has been ended meanwhile. */
export async function connectStream(db: Database, streamId: string): Promise<boolean> {
  const stepped = await stepCallOf(db, streamId, { type: 'stream_connected', streamId });
  return stepped?.call.stream?.id === streamId;
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
): Promise<ClaimedStream | 'not_here' | 'bad_token'> {
  const key = cipher.deriveKeys(INGEST_KEY_LABEL);
  const verdict = verifyToken({ key, prefix: INGEST_PREFIX, token, nowS: clock.now() / 1000 });
  const isOurs = verdict.ok && verdict.claims['stream'] === streamId;
  const claimed = isOurs ? await useIngest(db, { streamId, nodeId }) : undefined;
  if (claimed !== undefined) return claimed;
  const place = await findStreamPlace(db, streamId);
  return place?.live === true && place.node_id === nodeId ? 'bad_token' : 'not_here';
}
