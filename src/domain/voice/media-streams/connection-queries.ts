/** The statements of a gateway about its streams. A gateway knows a stream only by its id, not by its ledger. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Mode } from '../../../lib/scope.ts';
import type { RelaySettings } from '../../numbers/index.ts';
import type { Call } from '../calls/schema.ts';
import type { StreamStopReason } from '../calls/state/call.ts';
import type { MediaStream } from './schema.ts';

export type ClaimedStream = Pick<MediaStream, 'direction' | 'track' | 'parameters'> & {
  readonly dialect: MediaStream['dialect'] | 'relay';
  readonly ledger_id: number;
  readonly call_id: string;
  readonly account_id: string;
};

const CLAIMED = `m.ledger_id, m.call_id, m.direction, m.track, m.dialect, m.parameters,
  (select l.account_id from ledgers l where l.id = m.ledger_id) as account_id`;

const CLAIM = statement(
  'media_streams_claim',
  `update media_streams m set token_used_at = clock_timestamp()
   where id = $1 and node_id = $2 and token_hash = $3 and token_used_at is null and status = 'starting'
     and connect_url is null
   returning ${CLAIMED}`,
);

/** Uses up a token. Returns undefined if the token does not open the stream. */
export async function useToken(
  db: Db,
  { streamId, nodeId, tokenHash }: { streamId: string; nodeId: string; tokenHash: Buffer },
): Promise<ClaimedStream | undefined> {
  const [row] = await db.query<ClaimedStream>(CLAIM, [streamId, nodeId, tokenHash]);
  return row;
}

// A relay connects its agent once the announcements have been spoken.
const IS_DUE = '(relay is null or dial_at is not null)';

const CLAIM_DIAL = statement(
  'media_streams_claim_dial',
  `update media_streams m set token_used_at = clock_timestamp()
   where id = $1 and node_id = $2 and token_used_at is null and status = 'starting' and connect_url is not null
     and ${IS_DUE}
   returning ${CLAIMED}, m.connect_url, (select l.mode from ledgers l where l.id = m.ledger_id) as mode, m.relay,
     (select jsonb_build_object('from', c."from", 'to', c."to", 'caller_name', c.caller_name, 'direction', c.direction)
      from calls c where c.ledger_id = m.ledger_id and c.id = m.call_id) as call`,
);

export type ClaimedDial = ClaimedStream & {
  readonly connect_url: string;
  readonly mode: Mode;
  /** The settings of a relay, without the settings of the stream; null for any other stream. */
  readonly relay: Omit<RelaySettings, 'url' | 'parameters'> | null;
  readonly call: Pick<Call, 'from' | 'to' | 'caller_name' | 'direction'>;
};

/** Claims a stream that the node must connect, once. Returns undefined if the stream is over, or was claimed before. */
export async function claimDial(
  db: Db,
  { streamId, nodeId }: { streamId: string; nodeId: string },
): Promise<ClaimedDial | undefined> {
  const [row] = await db.query<ClaimedDial>(CLAIM_DIAL, [streamId, nodeId]);
  return row;
}

const DIALS = statement(
  'media_streams_dials',
  `select id from media_streams
   where node_id = $1 and status = 'starting' and connect_url is not null and token_used_at is null
     and ${IS_DUE} limit 100`,
);

/** Returns streams that the node must connect and has not claimed. */
export async function listDials(db: Db, nodeId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(DIALS, [nodeId])).map(({ id }) => id);
}

const SET_ERROR = statement(
  'media_streams_set_connect_error',
  'update media_streams set connect_error = $2 where id = $1',
);

/** Stores why a stream could not be connected. Its call is locked. */
export async function setConnectError(tx: Tx, streamId: string, text: string): Promise<void> {
  await tx.query(SET_ERROR, [streamId, text]);
}

const FIND = statement(
  'media_streams_find_by_id',
  `select ledger_id, call_id, node_id, stop_reason, token_used_at is not null as token_used
   from media_streams where id = $1`,
);

export type StreamState = {
  readonly ledger_id: number;
  readonly call_id: string;
  readonly node_id: string;
  /** Null until the stream is over. */
  readonly stop_reason: StreamStopReason | null;
  readonly token_used: boolean;
};

export async function findStreamState(db: Db, streamId: string): Promise<StreamState | undefined> {
  const [row] = await db.query<StreamState>(FIND, [streamId]);
  return row;
}

const OVER = statement(
  'media_streams_over',
  `select w.id as "streamId", coalesce(m.stop_reason, 'call_ended') as reason
   from unnest($1::text[]) as w (id) left join media_streams m on m.id = w.id
   where m.id is null or m.status in ('stopped', 'failed')`,
);

/**
 * Returns which of these streams are over. This includes streams that were deleted with their calls when their ledger
 * was emptied.
 */
export function findOverStreams(
  db: Db,
  streamIds: readonly string[],
): Promise<{ streamId: string; reason: StreamStopReason }[]> {
  return db.query(OVER, [streamIds]);
}

const PENDING = statement(
  'media_streams_pending',
  `select 1 as pending from media_streams m
   join call_commands c on c.ledger_id = m.ledger_id and c.call_id = m.call_id
   where m.id = $1 and c.command ->> 'do' = 'start_stream' and c.command ->> 'streamRef' = m.id`,
);

/** Returns true while the command that requests the stream's audio waits for its dispatch. */
export async function isStreamPending(db: Db, streamId: string): Promise<boolean> {
  return (await db.query(PENDING, [streamId])).length > 0;
}
