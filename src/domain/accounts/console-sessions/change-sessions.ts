import type { Tx } from '../../../db/database.ts';
import type { Session } from '../../../http/edge/authenticate.ts';
import { mayChangeAccount } from '../../../http/edge/permissions.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { AuditAction } from '../../audit/index.ts';
import { recordOfAccount } from '../accounts/record-change.ts';
import { forgetKeys } from '../api-keys/key-directory.ts';
import { markSignedIn } from '../users/queries.ts';
import {
  type EndedSession,
  endSession,
  endSessionBySecret,
  type Grant,
  insertSession,
  type Reach,
  useLink,
} from './queries.ts';
import { hashSecret, makeSecret, SECRET_FORM, SESSION_LIFE_S, USER_AGENT_CHARS_MAX } from './rules.ts';

/** A browser that signs in. */
export type SigningBrowser = {
  readonly userAgent: string | undefined;
  /** The cookie that the browser has from an earlier session. */
  readonly formerSecret: string | undefined;
};

/** A new session. `secret` is the only copy: only its hash is stored. */
export type SignedIn = { readonly session: Session; readonly secret: string };

/** Opens a session with a link, which cannot be used again. Errors: invalid_sign_in_link. */
export async function signIn(tx: Tx, token: string, browser: SigningBrowser): Promise<SignedIn> {
  const grant = SECRET_FORM.test(token) ? await useLink(tx, hashSecret(token)) : undefined;
  if (grant === undefined) throw new ApiError('invalid_sign_in_link');
  return openSession(tx, grant, browser);
}

/** Opens a session. An earlier session of the same browser ends. */
export async function openSession(
  tx: Tx,
  grant: Grant,
  { userAgent, formerSecret }: SigningBrowser,
): Promise<SignedIn> {
  if (formerSecret !== undefined && SECRET_FORM.test(formerSecret)) {
    const former = await endSessionBySecret(tx, hashSecret(formerSecret));
    if (former !== undefined) await settleEnd(tx, former, { id: former.id, user: null });
  }
  const secret = makeSecret();
  const session = await insertSession(tx, {
    ...grant,
    id: newId('console_session'),
    secret_hash: hashSecret(secret),
    user_agent: userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    life_s: SESSION_LIFE_S,
  });
  if (grant.user_id !== null) await markSignedIn(tx, grant.user_id);
  await record(tx, session, { action: 'console_session.created', by: session });
  return { session, secret };
}

/** Ends the session of the request. */
export async function signOut(tx: Tx, session: Session): Promise<void> {
  const ended = await endSession(tx, session.id, { accountId: null });
  if (ended !== undefined) await settleEnd(tx, ended, session);
}

/**
 * Returns the sessions that a session may see and end. For a user who may not change the account, these are the user's
 * own sessions.
 */
export function reachOf({ role, user, account_id: accountId }: Session): Reach {
  const isOwn = user !== null && !mayChangeAccount(role);
  return isOwn ? { userId: user.id } : { accountId };
}

/** Ends a session that the session of the request may see. Errors: console_session_not_found. */
export async function revokeSession(tx: Tx, by: Session, id: string): Promise<void> {
  const ended = await endSession(tx, id, reachOf(by));
  if (ended === undefined) throw new ApiError('console_session_not_found');
  await settleEnd(tx, ended, by);
}

async function settleEnd(tx: Tx, ended: EndedSession, by: Actor): Promise<void> {
  forgetKeys(tx, [ended]);
  await record(tx, ended, { action: 'console_session.ended', by });
}

type Actor = Pick<Session, 'id' | 'user'>;
type Change = { readonly action: AuditAction; readonly by: Actor };

/** Records a change of a session of one account in the audit logs of both modes. */
async function record(
  tx: Tx,
  { id, account_id }: Pick<Session, 'id' | 'account_id'>,
  { action, by }: Change,
): Promise<void> {
  if (account_id !== null) await recordOfAccount(tx, { session: by }, account_id, { action, resourceId: id });
}
