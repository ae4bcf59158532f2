import type { Tx } from '../../../db/database.ts';
import type { Session } from '../../../http/edge/authenticate.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type AuditAction, recordSession } from '../../audit/index.ts';
import { listLedgers } from '../accounts/queries.ts';
import { forgetKeys } from '../api-keys/key-directory.ts';
import { type EndedSession, endSession, endSessionBySecret, type Grant, insertSession, useLink } from './queries.ts';
import { hashSecret, makeSecret, SECRET_FORM, SESSION_LIFE_S, USER_AGENT_CHARS_MAX } from './rules.ts';

export type SignInRequest = {
  /** The token of the link. */
  readonly token: string;
  readonly userAgent: string | undefined;
  /** The cookie that the browser has from an earlier session. */
  readonly formerSecret: string | undefined;
};

/** A new session. `secret` is the only copy: only its hash is stored. */
type SignedIn = { readonly session: Session; readonly secret: string };

/**
 * Opens a session with a link, which cannot be used again. An earlier session of the same browser ends. Errors:
 * invalid_sign_in_link.
 */
export async function signIn(tx: Tx, { token, userAgent, formerSecret }: SignInRequest): Promise<SignedIn> {
  const grant = SECRET_FORM.test(token) ? await useLink(tx, hashSecret(token)) : undefined;
  if (grant === undefined) throw new ApiError('invalid_sign_in_link');
  if (formerSecret !== undefined && SECRET_FORM.test(formerSecret)) {
    const former = await endSessionBySecret(tx, hashSecret(formerSecret));
    if (former !== undefined) await settleEnd(tx, former, former.id);
  }
  const secret = makeSecret();
  const session = await insertSession(tx, {
    ...grant,
    id: newId('console_session'),
    secretHash: hashSecret(secret),
    userAgent: userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    lifeS: SESSION_LIFE_S,
  });
  await record(tx, session, { action: 'console_session.created', by: session.id });
  return { session, secret };
}

/** Ends the session of the request. */
export async function signOut(tx: Tx, { id }: Session): Promise<void> {
  const ended = await endSession(tx, id, null);
  if (ended !== undefined) await settleEnd(tx, ended, id);
}

/** Ends a session that the session of the request may see. Errors: console_session_not_found. */
export async function revokeSession(tx: Tx, by: Session, id: string): Promise<void> {
  const ended = await endSession(tx, id, by.account_id);
  if (ended === undefined) throw new ApiError('console_session_not_found');
  await settleEnd(tx, ended, by.id);
}

async function settleEnd(tx: Tx, ended: EndedSession, by: string): Promise<void> {
  forgetKeys(tx, [ended]);
  await record(tx, ended, { action: 'console_session.ended', by });
}

type Change = { readonly action: AuditAction; readonly by: string };

/** Records a change of a session of one account in the audit logs of both modes. */
async function record(tx: Tx, { id, account_id }: Grant & { id: string }, { action, by }: Change): Promise<void> {
  if (account_id === null) return;
  const ledgerIds = (await listLedgers(tx, account_id)).map((ledger) => ledger.id);
  await recordSession(tx, { sessionId: by, ledgerIds }, { action, resourceId: id });
}
