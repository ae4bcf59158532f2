/**
 * Passes a notice that this database has no object for on to the other databases that have its connection. Each keeps a
 * notice once, so passing it on repeatedly changes nothing.
 */
import { findNoticeState, storeNotices, type WaitingNotice } from './queries.ts';
import type { Sharers } from './sharers.ts';

type Passed = {
  readonly notice: WaitingNotice;
  /** foreign: no object will come. dropped: one may still come. */
  readonly result: 'foreign' | 'dropped';
  /**
   * True if this database is done with the notice in any case. The connections of the other databases are read before
   * that. A notice that waits longer goes to the databases that the process knows of.
   */
  readonly isLast: boolean;
};

/**
 * Passes a notice on.
 * @returns true if this database is done with it: another one has acted on it or, of a foreign notice, has it now
 * @throws Error if a database with the connection does not answer or, at last, if any database cannot be read: the
 * notice may be for that one
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
