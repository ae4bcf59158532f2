import type { Db } from '../../../db/database.ts';
import { insertLink } from './queries.ts';
import { hashSecret, makeSecret } from './rules.ts';

type Wanted = {
  /** The only account of the session; null for an operator. */
  readonly accountId: string | null;
  readonly publicUrl: string;
  readonly lifeS: number;
};

/**
 * Makes a link that signs one browser in, once. The token stands behind the #, which browsers send to no server: it
 * reaches neither logs nor other sites. The account must exist.
 */
export async function makeSignInLink(db: Db, { accountId, publicUrl, lifeS }: Wanted): Promise<string> {
  const token = makeSecret();
  const role = accountId === null ? 'operator' : 'account';
  await insertLink(db, { tokenHash: hashSecret(token), role, account_id: accountId, lifeS });
  return `${publicUrl}/console/sign-in#${token}`;
}
