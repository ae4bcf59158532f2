import { ApiError } from '../lib/errors/errors.ts';
import type { Tx } from './database.ts';
import { statement } from './statement.ts';

const SET = statement('savepoint_set', 'savepoint attempt');
const RELEASE = statement('savepoint_release', 'release savepoint attempt');
const ROLL_BACK = statement('savepoint_roll_back', 'rollback to savepoint attempt');

/**
 * Runs a part of a transaction that may be refused. A refusal with the status 409 undoes the writes of the part, and
 * the transaction continues. Any other error ends the transaction. Parts do not nest.
 * @returns the result of the part, or its refusal
 */
export async function attemptPart<T>(tx: Tx, part: () => Promise<T>): Promise<T | ApiError> {
  await tx.query(SET, []);
  try {
    const result = await part();
    await tx.query(RELEASE, []);
    return result;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    await tx.query(ROLL_BACK, []);
    await tx.query(RELEASE, []);
    return error;
  }
}
