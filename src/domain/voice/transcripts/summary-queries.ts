/** The input of a summary, and the statement that writes a summary. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { COMPLETED, type Completed, completeJobWith } from '../../../queue/jobs/job-claims.ts';
import { COMPLETING_CTES, type CompletingValues } from '../../../queue/jobs/job-sql.ts';
import {
  announceWritten,
  type EmittingValues,
  emittingSql,
  emittingValues,
  type WrittenEvent,
} from '../../events/index.ts';
import { type CallFacts, callJsonSql, FACT_COLUMNS, type InLedger, OWN_LOG } from '../calls/queries.ts';
import type { Segment } from './schema.ts';

/**
 * A call with its transcript in order. `waiting` counts the utterances that are not in the transcript yet, because they
 * or earlier ones have no text.
 */
export type CallToSummarize = CallFacts & {
  readonly segments: readonly Pick<Segment, 'speaker' | 'text'>[];
  readonly waiting: number;
  readonly ended_ms_ago: number;
  /** True while commands of the call wait for their dispatch: a party may still be talking. */
  readonly is_under_way: boolean;
};

const WAITING = 'select 1 from call_utterances u where u.ledger_id = c.ledger_id and u.call_id = c.id';
const SEGMENTS = 'from transcript_segments s where s.ledger_id = c.ledger_id and s.call_id = c.id';

const FIND_CALL = statement(
  'calls_find_to_summarize',
  `select ${FACT_COLUMNS}, (select count(*)::int from (${WAITING}) w) as waiting,
     (select coalesce(json_agg(json_build_object('speaker', s.speaker, 'text', s.text) order by s.occurred_at, s.ref), '[]')
      ${SEGMENTS}) as segments,
     extract(epoch from ledger_now($1) - ended_at)::float8 * 1000 as ended_ms_ago,
     exists (select 1 from call_commands m where m.ledger_id = c.ledger_id and m.call_id = c.id) as is_under_way
   from calls c where c.ledger_id = $1 and c.id = $2 and c.transcript_deleted_at is null`,
);

export async function findCallToSummarize(
  db: Db,
  { ledgerId }: InLedger,
  callId: string,
): Promise<CallToSummarize | undefined> {
  const [row] = await db.query<CallToSummarize>(FIND_CALL, [ledgerId, callId]);
  return row;
}

const EMITTING = emittingSql({
  condition: 'exists (select 1 from summarized)',
  data: '(select data from shown)::text',
});

type SummaryValues = EmittingValues & {
  readonly call_id: string;
  readonly summary: string;
  readonly segment_count: number;
};
type SummaryRow = Completed & { readonly events: readonly WrittenEvent[] | null };

const SUMMARIZE = statement<CompletingValues & SummaryValues, SummaryRow>(
  'calls_summarize',
  `with locked as (
     select 1 from calls c where c.ledger_id = :ledger_id::int and c.id = :call_id::text
       and c.transcript_deleted_at is null
       and not exists (${WAITING}) and (select count(*) ${SEGMENTS}) = :segment_count::int
   ), ${COMPLETING_CTES}, summarized as (
     update calls set summary = :summary::text
     where ledger_id = :ledger_id::int and id = :call_id::text and exists (select 1 from own_claim)
     returning *
   ), shown as (
     select ${callJsonSql(OWN_LOG)} as data from summarized c
   ), ${EMITTING.ctes}
   select ${COMPLETED}, ${EMITTING.result} as events`,
);

type NewSummary = {
  readonly callId: string;
  readonly tenantId: string;
  readonly summary: string;
  /** The number of transcript segments in the summary. */
  readonly segments: number;
};

/**
 * Writes the summary of a locked call with its event, and completes the job. An earlier statement must have locked the
 * call, so that this statement sees every stored utterance.
 * @returns false, and writes nothing, if the transcript has changed since or an utterance waits for its text
 */
export async function writeSummary(tx: Tx, job: Job, made: NewSummary): Promise<boolean> {
  const { callId, tenantId, summary, segments } = made;
  const event = { type: 'call.summary', tenantId, resourceId: callId, data: null } as const;
  const emitted = emittingValues(tx, job.ledgerId, [event]);
  const values: SummaryValues = { ...emitted, call_id: callId, summary, segment_count: segments };
  const written = await completeJobWith(tx, job, { statement: SUMMARIZE, values });
  if (written?.events) announceWritten(tx, job.ledgerId, [event], written.events);
  return written !== undefined;
}
