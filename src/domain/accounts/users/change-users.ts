import type { Tx } from '../../../db/database.ts';
import type { Session } from '../../../http/edge/authenticate.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Action, ChangeMaker } from '../../audit/index.ts';
import { findAccount } from '../accounts/queries.ts';
import { recordOfAccount } from '../accounts/record-change.ts';
import { forgetKeys } from '../api-keys/key-directory.ts';
import { deleteUser, endSessionsOfUser, insertUser, lockUser, updateSessionsOfUser, updateUser } from './queries.ts';
import { readEmail, type UserRole } from './rules.ts';
import type { CreateUser, UpdateUser, User } from './schema.ts';

/**
 * The author of changes to users: an operator by a command, or a session. The account of a session limits its changes.
 */
type UserChanger = ChangeMaker<Session>;

type Place = { readonly role: UserRole; readonly account_id: string | null };

/**
 * Adds a user. Errors: invalid_body for a text that is no e-mail address, and for a role that does not fit the account;
 * account_not_found, email_taken.
 */
export async function createUser(
  tx: Tx,
  by: UserChanger,
  { email: text, role, account_id = null }: CreateUser,
  { isByClaim = false } = {},
): Promise<User> {
  const email = readEmail(text);
  if (email === undefined) throw new ApiError('invalid_body', { param: 'email', message: '"email" is no address.' });
  const place = { role, account_id };
  await requirePlace(tx, place);
  const user = await insertUser(tx, { ...{ id: newId('user'), email, is_by_claim: isByClaim }, ...place });
  if (user === undefined) throw new ApiError('email_taken', { param: 'email' });
  await record(tx, by, user, { action: 'user.added', resourceId: user.id, details: detailsOf(user) });
  return user;
}

/**
 * Gives a user another role or account, which its sessions also get immediately. Errors: as `createUser`,
 * user_not_found.
 */
export async function changeUser(tx: Tx, by: UserChanger, id: string, change: UpdateUser): Promise<User> {
  const before = await findUser(tx, by, id);
  const role = change.role ?? before.role;
  const account_id = change.account_id === undefined ? accountFor(role, before.account_id) : change.account_id;
  await requirePlace(tx, { role, account_id });
  const user = await updateUser(tx, { id, role, account_id });
  forgetKeys(tx, await updateSessionsOfUser(tx, { id, role, account_id }));
  const action = { action: 'user.changed', resourceId: id, details: detailsOf(user) } as const;
  await record(tx, by, user, action);
  if (before.account_id !== user.account_id) await record(tx, by, before, action);
  return user;
}

/** Removes a user, whose sessions and links end at once. Errors: user_not_found. */
export async function removeUser(tx: Tx, by: UserChanger, id: string): Promise<User> {
  const user = await findUser(tx, by, id);
  forgetKeys(tx, await endSessionsOfUser(tx, id));
  await deleteUser(tx, id);
  await record(tx, by, user, { action: 'user.removed', resourceId: id, details: detailsOf(user) });
  return user;
}

/**
 * Locks and returns a user that may be changed. For a session of one account, users of other accounts are not found.
 * Errors: user_not_found.
 */
export async function findUser(tx: Tx, by: UserChanger, id: string): Promise<User> {
  const user = await lockUser(tx, id);
  const reach = 'session' in by ? by.session.account_id : null;
  if (user === undefined || (reach !== null && user.account_id !== reach)) throw new ApiError('user_not_found');
  return user;
}

/** An operator has no account. */
function accountFor(role: UserRole, accountId: string | null): string | null {
  return role === 'operator' ? null : accountId;
}

/** Errors: invalid_body, account_not_found. */
async function requirePlace(tx: Tx, { role, account_id }: Place): Promise<void> {
  if ((role === 'operator') === (account_id === null)) {
    if (account_id !== null && (await findAccount(tx, account_id)) === undefined) {
      throw new ApiError('account_not_found', { param: 'account_id' });
    }
    return;
  }
  const message =
    role === 'operator'
      ? 'An operator may use every account: leave out "account_id".'
      : `A user with the role ${role} needs "account_id": the account that the user may use.`;
  throw new ApiError('invalid_body', { param: 'account_id', message });
}

/**
 * Records a change in the audit logs of the user's account, in both modes. An operator has no account, so nothing is
 * recorded.
 */
async function record(tx: Tx, by: UserChanger, { account_id }: User, action: Omit<Action, 'tenantId'>) {
  if (account_id !== null) await recordOfAccount(tx, by, account_id, action);
}

function detailsOf({ email, role }: User) {
  return { email, role };
}
