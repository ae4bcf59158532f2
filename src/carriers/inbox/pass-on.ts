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
};

/**
 * Passes a notice on.
 * @returns true if this database is done with it: another one has acted on it or, of a foreign notice, has it now
 * @throws Error if a database of the installation cannot be read: the notice may be for that one
 */
export async function passOn(
  { sharers }: { readonly sharers: Sharers },
  connectionId: string,
  { notice, result }: Passed,
): Promise<boolean> {
  const { id, key, type, body } = notice;
  let isDone = false;
  for (const { db } of await sharers.read(connectionId)) {
    const isNew = (await storeNotices(db, connectionId, [{ id, key, type, body }])) > 0;
    if (isNew && result === 'foreign') isDone = true;
    if (!isNew && (await findNoticeState(db, connectionId, id)) === 'done') isDone = true;
  }
  return isDone;
}
