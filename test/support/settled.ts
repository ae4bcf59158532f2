import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.ts';
import { isQuiet } from './in-flight.ts';
import { describeState } from './unmet.ts';

const LIMIT_MS = 60_000;

const AT_WORK = `select exists (select 1 from jobs
      where case when lease_token is null then run_at <= clock_timestamp() else true end)
    or exists (select 1 from lanes
      where case when lease_token is null then run_at <= clock_timestamp() else true end) as at_work`;

/**
 * Resolves when no job or lane of the database is due or claimed, and this process has no statement, request, delivery
 * or socket write in flight. Work that is planned for later stays planned.
 */
export async function untilSettled(db: Database): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    if (await isQuiet()) {
      const [row] = await db.query<{ at_work: boolean }>({ name: '', text: AT_WORK }, []);
      if (row?.at_work === false && (await isQuiet())) return;
    }
    if (performance.now() > deadline) assert.fail(`not settled within ${LIMIT_MS} ms${await describeState()}`);
  }
}
