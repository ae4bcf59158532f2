import type { Db } from '../../../db/database.ts';
import { findOptOut, type InLedger, type OptOutKey } from './queries.ts';

/** Returns true if the person has opted out of automated calls: calls with software that speaks. */
export async function isOptedOutOfCalls(db: Db, ledger: InLedger, key: OptOutKey): Promise<boolean> {
  return (await findOptOut(db, ledger, key))?.channels.includes('call') === true;
}
