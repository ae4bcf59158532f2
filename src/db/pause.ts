/**
 * The pause of the whole installation: one row in the database, which every process obeys. During a pause no worker
 * claims a job or a lane, and the API refuses requests that change something. So an operator can look at a restored
 * backup before it sends anything.
 */
import type { Db } from './database.ts';
import { statement } from './statement.ts';

/** SQL condition that holds while the installation is paused. The column `single` lets an index find the one row. */
export const PAUSED_SQL = 'exists (select from installation where single and paused_at is not null)';

const PAUSE = statement(
  'installation_pause',
  'update installation set paused_at = coalesce(paused_at, clock_timestamp()) where single',
);
const RESUME = statement(
  'installation_resume',
  `update installation i set paused_at = null from (select paused_at from installation where single for update) earlier
   where i.single and i.paused_at is not null returning earlier.paused_at as since`,
);
const READ = statement('installation_paused', 'select paused_at as since from installation where single');

/** Pauses the installation. If it is already paused, keeps the beginning of that pause. */
export async function pauseInstallation(db: Db): Promise<void> {
  await db.query(PAUSE, []);
}

/** Ends the pause. Returns when it began, or undefined if there was none. */
export async function resumeInstallation(db: Db): Promise<Date | undefined> {
  const [pause] = await db.query<{ since: Date }>(RESUME, []);
  return pause?.since;
}

/** Returns when the present pause began, or undefined if there is none. */
export async function findPause(db: Db): Promise<Date | undefined> {
  const [row] = await db.query<{ since: Date | null }>(READ, []);
  return row?.since ?? undefined;
}
