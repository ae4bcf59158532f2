import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import type { InLedger } from '../calls/queries.ts';
import type { StreamStopReason } from '../calls/state/call.ts';
import { endOf, STREAMS_LISTED_MAX, streamMachine } from './rules.ts';
import type { MediaStream } from './schema.ts';

const COLUMNS = `m.id, 'media_stream' as object, m.call_id, m.tenant_id, m.direction, m.track, m.status, m.url,
  m.connect_url, m.connect_error, m.dialect, m.parameters, m.stop_reason, m.created_at, m.started_at, m.stopped_at`;

const INSERT = statement(
  'media_streams_insert',
  `insert into media_streams as m
     (ledger_id, id, call_id, tenant_id, direction, track, status, url, node_id, token_hash, created_at,
      connect_url, dialect, parameters)
   values ($1, $2, $3, $4, $5, $6, 'starting', $7, $8, $9, $10, $11, $12, $13) returning ${COLUMNS}`,
);

export type NewStream = Pick<
  MediaStream,
  'id' | 'call_id' | 'tenant_id' | 'direction' | 'track' | 'url' | 'connect_url' | 'dialect' | 'parameters'
> & {
  readonly nodeId: string;
  readonly tokenHash: Buffer;
  readonly createdAt: Date;
};

export async function insertStream(tx: Tx, { ledgerId }: InLedger, stream: NewStream): Promise<MediaStream> {
  const { id, call_id, tenant_id, direction, track, url, nodeId, tokenHash, createdAt } = stream;
  const { connect_url, dialect, parameters } = stream;
  const values = [
    ...[ledgerId, id, call_id, tenant_id, direction, track, url, nodeId, tokenHash, createdAt],
    ...[connect_url, dialect, parameters],
  ];
  const [row] = await tx.query<MediaStream>(INSERT, values);
  return row as MediaStream;
}

const FIND = statement(
  'media_streams_find',
  `select ${COLUMNS} from media_streams m
   where ledger_id = $1 and id = $2 and relay is null`,
);

export async function findStream(db: Db, { ledgerId }: InLedger, id: string): Promise<MediaStream | undefined> {
  const [row] = await db.query<MediaStream>(FIND, [ledgerId, id]);
  return row;
}

const LIST = statement(
  'media_streams_list',
  `select ${COLUMNS} from media_streams m where ledger_id = $1 and call_id = $2 and relay is null order by id desc
   limit ${STREAMS_LISTED_MAX}`,
);

/** Returns the latest streams of a call, newest first. */
export function listStreams(db: Db, { ledgerId }: InLedger, callId: string): Promise<MediaStream[]> {
  return db.query<MediaStream>(LIST, [ledgerId, callId]);
}

const ACTIVATE = statement(
  'media_streams_activate',
  `update media_streams m set status = 'active', started_at = $3
   where ledger_id = $1 and id = $2 and status = any($4) returning ${COLUMNS}`,
);

/** @returns undefined if the stream is over or already active */
export async function activateStream(
  tx: Tx,
  { ledgerId }: InLedger,
  { id, at }: { id: string; at: Date },
): Promise<MediaStream | undefined> {
  const [row] = await tx.query<MediaStream>(ACTIVATE, [ledgerId, id, at, sourcesOf(streamMachine, 'active')]);
  return row;
}

// Connected time is ledger time, without the delay in reporting the end. A stream whose client never connected has no
// connected time.
const END = statement(
  'media_streams_end',
  `update media_streams m set status = $3, stop_reason = $4, stopped_at = $5::timestamptz,
     billed_ms = case when started_at is null then 0
       else greatest(0, extract(epoch from $5::timestamptz - started_at) * 1000 - $6::float8)::bigint end
   where ledger_id = $1 and id = $2 and status = any($7) returning ${COLUMNS}, m.billed_ms`,
);

export type EndedStream = MediaStream & { readonly billed_ms: number };

/** @returns undefined if the stream is already over */
export async function endStream(
  tx: Tx,
  { ledgerId }: InLedger,
  ending: { id: string; at: Date; reason: StreamStopReason; lateMs: number },
): Promise<EndedStream | undefined> {
  const { id, at, reason, lateMs } = ending;
  const status = endOf(reason);
  const values = [ledgerId, id, status, reason, at, lateMs, sourcesOf(streamMachine, status)];
  const [row] = await tx.query<EndedStream>(END, values);
  return row;
}
