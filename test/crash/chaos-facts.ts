/** Reads the results of a chaos run: in the product's database, and at the carrier. */
import type { Database } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';
import { countWork } from '../support/product-process.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import type { ChaosText } from './chaos-texts.ts';
import type { FarSide, Seen } from './far-side.ts';
import type { PlacedCall } from './voice-crash-client.ts';

type Usage = { readonly kind: string; readonly quantity: number; readonly times: number };
/** An event of a resource. `atMs`: milliseconds of the epoch. */
type EventFact = { readonly type: string; readonly sequence: number; readonly atMs: number };

export type StoredText = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly events: readonly EventFact[];
  readonly usage: readonly Usage[];
};

export type StoredCall = {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly status: string;
  readonly outcome: string | null;
  /** Null: no party was connected. */
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly log: readonly { readonly type: string; readonly detail: Readonly<Record<string, unknown>> }[];
  readonly events: readonly EventFact[];
  readonly usage: readonly Usage[];
  readonly recordings: readonly {
    readonly id: string;
    readonly purpose: 'call' | 'voicemail';
    readonly durationMs: number;
    readonly events: number;
  }[];
};

export type ChaosFacts = {
  /** The clients' requests. */
  readonly asked: { readonly texts: readonly ChaosText[]; readonly calls: readonly PlacedCall[] };
  readonly texts: readonly StoredText[];
  readonly calls: readonly StoredCall[];
  readonly carrier: Seen;
  /** Work that is left, by its kind. */
  readonly work: Readonly<Record<string, number>>;
  readonly usage: {
    /** The hourly sums, and the sums of the single uses, by kind. */
    readonly hours: readonly { readonly kind: string; readonly quantity: number }[];
    readonly days: readonly { readonly kind: string; readonly quantity: number }[];
    readonly uses: readonly { readonly kind: string; readonly quantity: number }[];
  };
};

const usageOf = (reference: string) => `array(select json_build_object('kind', u.kind, 'quantity', sum(u.quantity)::int,
    'times', count(*)::int)
  from ${RECORDED_USE} u
  where u.reference = ${reference} group by u.kind order by u.kind)`;

const eventsOf = (resource: string) => `array(select json_build_object('type', e.type, 'sequence', e.sequence,
    'atMs', extract(epoch from e.created_at)::float8 * 1000)
  from events e where e.resource_id = ${resource} order by e.sequence)`;

const TEXTS = `select m.id, m.direction, m."to", m."from", m.body, m.status, m.error_code,
  ${eventsOf('m.id')} as events, ${usageOf('m.id')} as usage from messages m order by m.id`;

const CALLS = `select c.id, c.direction, c.status, c.outcome,
  (c.state ->> 'connectedAtMs')::float8 as "connectedAtMs", (c.state ->> 'endedAtMs')::float8 as "endedAtMs",
  array(select json_build_object('type', e.type, 'detail', e.detail) from call_events e
    where e.call_id = c.id order by e.position) as log,
  ${eventsOf('c.id')} as events, ${usageOf(`'call:' || c.id`)} as usage,
  array(select json_build_object('id', r.id, 'durationMs', r.duration_ms,
      'purpose', case when v.id is null then 'call' else 'voicemail' end,
      'events', (select count(*)::int from events e where (e.resource_id = r.id and e.type = 'recording.created')
        or (e.resource_id = v.id and e.type = 'voicemail.created')))
    from recordings r left join voicemails v on v.recording_id = r.id where r.call_id = c.id order by r.id) as recordings
  from calls c order by c.id`;

const sumsOf = (table: string, where = 'true') =>
  `select kind, sum(quantity)::int as quantity from ${table} where ${where} group by kind order by kind`;

/** Reads everything, once no work is left. */
export async function readFacts(db: Database, farSide: FarSide, asked: ChaosFacts['asked']): Promise<ChaosFacts> {
  return {
    asked,
    texts: await sql(db, TEXTS),
    calls: await sql(db, CALLS),
    carrier: await farSide.seen(),
    work: await countWork(db),
    usage: {
      hours: await sql(db, sumsOf('usage_hours', `scope = ''`)),
      days: await sql(db, sumsOf('usage_days', `scope = ''`)),
      uses: await sql(db, sumsOf('usage_archive')),
    },
  };
}
