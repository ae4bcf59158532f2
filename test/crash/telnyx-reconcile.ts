/**
 * Ends texts in doubt: their request or its answer was lost, no report has come, and Telnyx has no operation to look
 * them up. The operator looks for half of them in Telnyx's portal and settles them as absent, so that they are sent.
 * The other half fail as expired after four hours.
 */
import assert from 'node:assert/strict';
import { listOpenRequests, settleByHand } from '../../src/carriers/book/queries.ts';
import type { Database } from '../../src/db/database.ts';
import { sql, until } from '../support/jobs.ts';
import type { Telnyx } from '../telnyx/start-telnyx.ts';
import { readTexts } from './telnyx-seen.ts';

type Scene = {
  readonly db: Database;
  readonly control: Telnyx['control'];
  /** Resolves once the product has taken every report. */
  readonly drained: () => Promise<void>;
};

/** A request under way has no outcome either. */
const UNDER_WAY_MS = 6_000;
const REQUESTS_MAX = 10_000;

const UNTOLD = `select 1 from carrier_inbox where state = 'waiting' limit 1`;
const JOBS = `select 1 from jobs where kind like 'message.submit%' limit 1`;
/** The next question about each text comes now. */
const ASK = `update jobs set run_at = clock_timestamp()
  where kind like 'message.submit%' and lease_token is null and run_at > clock_timestamp()`;
const ASKING = `select 1 from jobs
  where kind like 'message.submit%' and (lease_token is not null or run_at <= clock_timestamp()) limit 1`;

/**
 * Lets the operator decide and time pass until no text waits for the carrier.
 * @returns what became of the texts, in words
 */
export async function decideSends({ db, control, drained }: Scene, withinMs: number): Promise<string> {
  const deadline = performance.now() + withinMs;
  let settled = 0;
  const isEmpty = async (text: string) => (await sql(db, text)).length === 0;
  while (!(await isEmpty(JOBS))) {
    if (performance.now() > deadline) assert.fail(`texts wait for the carrier after ${withinMs} ms`);
    await drained();
    await until('every report is handed over', () => isEmpty(UNTOLD), withinMs);
    const taken = new Set((await readTexts({ control })).map(({ ref }) => ref));
    const open = await listOpenRequests(db, { connectionId: null, olderMs: UNDER_WAY_MS, rows: REQUESTS_MAX });
    const sends = open.filter(({ operation }) => operation === 'send');
    const unsettled = sends.filter(({ ref }) => taken.has(ref)).map(({ ref }) => ref);
    assert.deepEqual(unsettled, [], 'a text that Telnyx has is settled by its reports');
    for (const { id, ref } of sends) {
      if (!isForOperator(ref)) continue;
      await db.transaction((tx) => settleByHand(tx, { id, connectionId: null }, 'absent'));
      settled++;
    }
    await sql(db, ASK);
    await until('the texts are asked about', () => isEmpty(ASKING), withinMs);
  }
  const expired = await sql(db, `select 1 from messages where status = 'failed' and error_code = 'expired'`);
  return `${settled} texts in doubt settled by the operator, ${expired.length} expired`;
}

function isForOperator(ref: string): boolean {
  return Number.parseInt(ref.slice(-1), 32) % 2 === 0;
}
