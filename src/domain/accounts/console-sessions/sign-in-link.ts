import type { Db } from '../../../db/database.ts';
import type { User } from '../users/schema.ts';
import { type Grant, insertLink } from './queries.ts';
import { hashSecret, makeSecret } from './rules.ts';

/**
 * The rights that a link gives: the rights of a user, or (without a user) the rights to one account; null: to
 * everything.
 */
type Guest = { readonly user: Pick<User, 'id' | 'role' | 'account_id'> } | { readonly accountId: string | null };

type Wanted = Guest & {
  readonly publicUrl: string;
  readonly lifeS: number;
};

/**
 * Makes a link that signs one browser in, once. The token stands behind the #, which browsers send to no server: it
 * reaches neither logs nor other sites. The account must exist.
 */
export async function makeSignInLink(db: Db, { publicUrl, lifeS, ...guest }: Wanted): Promise<string> {
  const token = makeSecret();
  await insertLink(db, { ...grantOf(guest), token_hash: hashSecret(token), life_s: lifeS });
  return `${publicUrl}/console/sign-in#${token}`;
}

function grantOf(guest: Guest): Grant {
  if ('user' in guest) return { role: guest.user.role, account_id: guest.user.account_id, user_id: guest.user.id };
  const { accountId: account_id } = guest;
  return { role: account_id === null ? 'operator' : 'account', account_id, user_id: null };
}
