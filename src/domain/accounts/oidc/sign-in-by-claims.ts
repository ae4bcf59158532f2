import type { Tx } from '../../../db/database.ts';
import { listAccounts } from '../accounts/queries.ts';
import { openSession, type SignedIn, type SigningBrowser } from '../console-sessions/change-sessions.ts';
import { changeUser, createUser } from '../users/change-users.ts';
import { findUserByEmail } from '../users/queries.ts';
import { readEmail, USER_ROLES, type UserRole } from '../users/rules.ts';
import type { User } from '../users/schema.ts';
import type { Claims } from './provider.ts';

/** The reason for refusing a person whom the provider knows. */
export type Refusal = 'no_email' | 'unverified_email' | 'unknown_email' | 'unknown_account';

type Place = { readonly role: UserRole; readonly account_id: string | null };

/** The author in the audit log of changes to a user by the provider's claims. */
const BY = { command: 'OIDC sign-in' } as const;

/**
 * Signs in the person whose claims were verified, as the user with the address in the claims. If the claims have a
 * role, the user gets that role; if no user has the address, a user with that role is created.
 */
export async function signInByClaims(
  tx: Tx,
  { claims, roleClaim }: { claims: Claims; roleClaim: string | null },
  browser: SigningBrowser,
): Promise<SignedIn | Refusal> {
  const email = typeof claims['email'] === 'string' ? readEmail(claims['email']) : undefined;
  if (email === undefined) return 'no_email';
  // Absent at providers that verify every address.
  if (claims['email_verified'] === false) return 'unverified_email';
  const place = roleClaim === null ? undefined : await readPlace(tx, claims[roleClaim]);
  if (place === 'unknown_account') return place;
  const known = await findUserByEmail(tx, email);
  const user = await settle(tx, email, { known, place });
  if (user === undefined) return 'unknown_email';
  return openSession(tx, { role: user.role, account_id: user.account_id, user_id: user.id }, browser);
}

type Found = { readonly known: User | undefined; readonly place: Place | undefined };

function settle(tx: Tx, email: string, { known, place }: Found): Promise<User> | User | undefined {
  // A user that was created from a claim has no role without the claim.
  if (place === undefined) return known?.is_by_claim === true ? undefined : known;
  if (known === undefined) return createUser(tx, BY, { email, ...place }, { isByClaim: true });
  if (known.role === place.role && known.account_id === place.account_id) return known;
  return changeUser(tx, BY, known.id, place);
}

/**
 * Reads a role from a claim: a text or a list of texts, each a role or `role:account_id`. If there are several, the
 * first in USER_ROLES counts. A role without an account is for the only account of the installation.
 */
async function readPlace(tx: Tx, claim: unknown): Promise<Place | 'unknown_account' | undefined> {
  const texts = [claim].flat().filter((text) => typeof text === 'string');
  for (const role of USER_ROLES) {
    const found = texts.find((text) => text === role || text.startsWith(`${role}:`));
    if (found === undefined) continue;
    if (role === 'operator') return { role, account_id: null };
    const accounts = await listAccounts(tx);
    const named = found.slice(role.length + 1);
    const account = named === '' && accounts.length === 1 ? accounts[0] : accounts.find(({ id }) => id === named);
    return account === undefined ? 'unknown_account' : { role, account_id: account.id };
  }
  return undefined;
}
