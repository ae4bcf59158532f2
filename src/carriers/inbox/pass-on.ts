/**
 * Passes on a notice whose object is not in this database, to the other databases that have its connection. Each
 * database stores a notice once, so repeats change nothing.
 */
import { findNoticeState, storeNotices, type WaitingNotice } from './queries.ts';
import type { Sharers } from './sharers.ts';

type Passed = {
  readonly notice: WaitingNotice;
  /** foreign: no object will ever come. dropped: an object may still come. */
  readonly result: 'foreign' | 'dropped';
  /**
   * True if this database will drop the notice in any case. Then the connections of the other databases are read first.
   * Otherwise the notice goes to the databases that the process knows already.
   */
  readonly isLast: boolean;
};

/**
 * Passes a notice on.
 * @returns true if this database may drop it, because another database has acted on it; for a foreign notice it is
 * enough that another database has it
 * @throws Error if a database with the connection does not answer. With `isLast` also if any database cannot be read,
 * because the notice may be for that one
 */
export async function passOn(
  { sharers }: { readonly sharers: Sharers },
  connectionId: string,
  { notice, result, isLast }: Passed,
): Promise<boolean> {
  const { id, key, type, body } = notice;
  let isDone = false;
  for (const { db } of isLast ? await sharers.read(connectionId) : sharers.list(connectionId)) {
    const state = await findNoticeState(db, connectionId, id);
    const isNew = state === undefined && (await storeNotices(db, connectionId, [{ id, key, type, body }])) > 0;
    if (state === 'done' || (isNew && result === 'foreign')) isDone = true;
  }
  return isDone;
}
