import type { Context } from '../../../context.ts';
import type { SessionDirectory } from '../../../http/edge/authenticate.ts';
import { findLedger, findSession } from './queries.ts';
import { hashSecret, SECRET_FORM } from './rules.ts';

/** Creates the edge's directory of console sessions. */
export function createSessionDirectory({ db }: Pick<Context, 'db'>): SessionDirectory {
  return {
    form: SECRET_FORM,
    hash: hashSecret,
    find: (secretHash) => findSession(db, secretHash),
    findLedger: (target) => findLedger(db, target),
  };
}
