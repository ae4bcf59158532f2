import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Lane } from '../../src/queue/jobs/job.ts';
import { claimLanes } from '../../src/queue/lanes/lane-claims.ts';
import { cloneDatabase } from './database.ts';

export const silentLog: Logger = pino({ level: 'silent' });

/** A migrated database of its own with one test ledger, open. */
export async function openJobsDatabase() {
  const { url, drop } = await cloneDatabase();
  await useDaylightSaving(url);
  const open = () => openDatabase({ url, connectionsMax: 10, log: silentLog });
  const db = open();
  const others: Database[] = [];
  await sql(db, `insert into accounts (id, name) values ('acct_1', 'One')`);
  const [ledger] = await sql<{ id: number }>(
    db,
    `insert into ledgers (account_id, mode) values ('acct_1', 'test') returning id`,
  );
  return {
    db,
    url,
    ledgerId: (ledger as { id: number }).id,
    /** Another pool on the database, as another process has. */
    openOther: () => {
      const other = open();
      others.push(other);
      return other;
    },
    close: async () => {
      await Promise.all([db, ...others].map((each) => each.close()));
      await drop();
    },
  };
}

/** Days of unequal length, so that arithmetic on intervals shows where it counts in days. */
async function useDaylightSaving(url: string): Promise<void> {
  const admin = openDatabase({ url, connectionsMax: 1, log: silentLog });
  await sql(admin, `alter database ${new URL(url).pathname.slice(1)} set timezone to 'America/New_York'`);
  await admin.close();
}

/** Runs a statement of the test's own. */
export function sql<Row>(db: Database, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return db.query<Row>({ name: '', text }, values);
}

/** Waits until the condition holds; fails after `limitMs`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) assert.fail(`waited in vain until ${what}`);
    await sleep(5);
  }
}

/** Resolves when this process has asked a statement `times` times from now on: somebody has looked, and looks again. */
export function askedTimes(db: Database, statementName: string, times: number): Promise<void> {
  const { query } = db;
  let left = times;
  return new Promise((resolve) => {
    db.query = (statement, values) => {
      if (statement.name === statementName && --left === 0) {
        db.query = query;
        resolve();
      }
      return query(statement, values);
    };
  });
}

/** A promise with its resolver, for handlers that the test lets go on. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** Claims lanes of one group as a worker would that has so many slots free. */
export async function claimLanesOf(
  db: Database,
  lane: { kind: string; groupId: string; slots?: number; leaseMs: number; leaseToken: string },
): Promise<Lane[]> {
  const { kind, groupId, slots = 1, leaseMs, leaseToken } = lane;
  const { lanes } = await claimLanes(db, kind, { shares: [{ groupId, failed: false, slots }], leaseMs, leaseToken });
  return lanes;
}
