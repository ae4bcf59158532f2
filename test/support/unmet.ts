/**
 * The message of a failed wait, with facts about the product: its due and claimed work, and the last lines of its log.
 */
import { pino } from 'pino';
import type { Database } from '../../src/db/database.ts';
import { listInFlight } from './in-flight.ts';

/** Describes one part of this process. */
type Reporter = () => Promise<string>;

const reporters = new Set<Reporter>();

/** From now on, adds a report to the message of each failed wait. Returns a function that removes it. */
export function reportWhenUnmet(report: Reporter): () => void {
  reporters.add(report);
  return () => reporters.delete(report);
}

/** Returns the reports for the message of a failed wait. */
export async function describeState(): Promise<string> {
  const texts = await Promise.all([...reporters].map((report) => report().catch((error: Error) => error.message)));
  const inFlight = listInFlight();
  if (inFlight.length > 0) texts.push(`In flight: ${inFlight.join(', ')}`);
  return texts.map((text) => `\n${text}`).join('');
}

const LINES_MAX = 20;

/** Returns a log that keeps its last warnings and errors. With LOG_LEVEL it also prints all lines of that level. */
export function keepingLog() {
  const lines: string[] = [];
  const keep = {
    write: (line: string) => {
      if (lines.push(line.trimEnd()) > LINES_MAX) lines.shift();
    },
  };
  const level = process.env['LOG_LEVEL'];
  const streams = level === undefined ? [] : [{ level: level as pino.Level, stream: process.stdout }];
  const log = pino({ level: level ?? 'warn' }, pino.multistream([{ level: 'warn', stream: keep }, ...streams]));
  return { log, lines };
}

const WORK = `select kind, count(*)::int as count, count(*) filter (where run_at <= clock_timestamp())::int as due,
    count(lease_token)::int as claimed, round(extract(epoch from min(run_at) - clock_timestamp())::numeric, 3)::float8 as next_s
  from (select kind, run_at, lease_token from jobs where ledger_id <> 0
        union all select 'lane ' || kind, run_at, lease_token from lanes) work
  group by kind order by kind`;

type Work = { kind: string; count: number; due: number; claimed: number; next_s: number };

/**
 * Describes the work of a database: how many jobs or lanes of each kind are due or claimed, and when the next one is
 * due.
 */
export async function describeWork(db: Database): Promise<string> {
  const rows = await db.query<Work>({ name: '', text: WORK }, []);
  const lines = rows.map(
    ({ kind, count, due, claimed, next_s }) => `${kind}: ${count}, ${due} due, ${claimed} claimed, next in ${next_s} s`,
  );
  return `Work: ${lines.length === 0 ? 'none' : lines.join('; ')}`;
}
