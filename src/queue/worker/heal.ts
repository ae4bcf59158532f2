/** Heals lost reports: asks carriers about live objects that wait for a report, and applies the answers. */
import type { Logger } from 'pino';
import type { ConnectionId } from '../../carriers/ports/carrier.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Ledger } from '../../lib/scope.ts';

/** A row of a live ledger that waits for a report of its carrier. */
export type Unreported = {
  readonly ledger_id: number;
  readonly account_id: string;
  readonly id: string;
  readonly connection_id: ConnectionId;
};

type Healing<Row extends Unreported, Missed> = {
  readonly db: Database;
  readonly log: Logger;
  /** Names the rows in the log, such as `calls`. */
  readonly what: string;
  /**
   * Returns facts that the carrier knows and the product does not. Undefined if there are none, or if the carrier does
   * not answer the question.
   */
  ask(row: Row, ledger: Ledger): Promise<Missed | undefined>;
  /** Applies the facts like a report. Must change nothing if the report has arrived since the question. */
  apply(tx: Tx, ledger: Ledger, missed: Missed): Promise<unknown>;
};

/** The most concurrent questions to carriers. */
const QUESTIONS_MAX = 10;
/** The maximum number of ids in a line of the log. */
const NAMED_MAX = 20;

/**
 * Asks about rows, ten at a time, and applies each answer in a separate transaction. A row that fails does not delay
 * the others; the next round asks about it again.
 * @returns how many reports were missing
 */
export async function heal<Row extends Unreported, Missed>(
  rows: readonly Row[],
  healing: Healing<Row, Missed>,
): Promise<number> {
  const { db, log, what, apply } = healing;
  const healed: string[] = [];
  for (let start = 0; start < rows.length; start += QUESTIONS_MAX) {
    const asked = rows.slice(start, start + QUESTIONS_MAX);
    const answers = await Promise.all(asked.map((row) => askAbout(row, healing)));
    for (const [index, missed] of answers.entries()) {
      if (missed === undefined) continue;
      const row = asked[index] as Row;
      try {
        await db.transaction((tx) => apply(tx, ledgerOf(row), missed));
        healed.push(row.id);
      } catch (error) {
        log.error({ err: error, what, id: row.id }, 'what the carrier said could not be applied; asked again later');
      }
    }
  }
  if (healed.length > 0) {
    const ids = healed.slice(0, NAMED_MAX);
    log.warn({ what, count: healed.length, ids }, 'carriers had not reported these; they were asked');
  }
  return healed.length;
}

async function askAbout<Row extends Unreported, Missed>(
  row: Row,
  { log, what, ask }: Healing<Row, Missed>,
): Promise<Missed | undefined> {
  try {
    return await ask(row, ledgerOf(row));
  } catch (error) {
    // The connection is disabled or does not answer. `carriers check` reports this.
    if (!(error instanceof ApiError)) {
      log.warn({ err: error, what, id: row.id }, 'the carrier could not be asked; the next round asks again');
    }
    return undefined;
  }
}

function ledgerOf({ ledger_id: ledgerId, account_id: accountId }: Unreported): Ledger {
  return { ledgerId, accountId, mode: 'live' };
}
