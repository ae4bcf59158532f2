import type { Tx } from '../../../db/database.ts';
import { isId, newId } from '../../../lib/ids.ts';
import type { Scope, UserName } from '../../../lib/scope.ts';
import { type Actor, insertEntries } from './queries.ts';
import type { AuditAction } from './rules.ts';

/**
 * A change to record. `details` are small and have no secrets: no URL beyond its host, no texts, no metadata.
 */
export type Action = {
  readonly action: AuditAction;
  readonly resourceId: string;
  /** The tenant that the changed resource belongs to; null for a resource of the account. */
  readonly tenantId: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Records changes that a request made with its key or its console session, in their transaction. */
export async function recordActions(tx: Tx, scope: Scope, actions: readonly Action[]): Promise<void> {
  if (actions.length === 0) return;
  const { keyId: id, user = null } = scope;
  const actor: Actor = isId('console_session', id) ? actorOf({ id, user }) : { type: 'key', id };
  await insertEntries(tx, actor, actions.map(toEntry(scope.ledgerId)));
}

type ActingSession = { readonly id: string; readonly user: UserName | null };

/** The maker of a change outside the ledgers: an operator by a command (its words without arguments), or a session. */
export type ChangeMaker<S extends ActingSession = ActingSession> =
  | { readonly command: string }
  | { readonly session: S };

/**
 * Records a change outside the ledgers, in its transaction.
 * @param ledgerIds the ledgers whose log gets the entry: one, or both for a change of the account
 */
export async function recordBy(tx: Tx, by: ChangeMaker, ledgerIds: readonly number[], action: Action): Promise<void> {
  const actor: Actor = 'command' in by ? { type: 'operator', id: by.command } : actorOf(by.session);
  const entries = ledgerIds.map((ledgerId) => toEntry(ledgerId)(action));
  await insertEntries(tx, actor, entries);
}

function actorOf({ id, user }: ActingSession): Actor {
  return user === null ? { type: 'console', id } : { type: 'user', ...user };
}

function toEntry(ledgerId: number) {
  return ({ action, resourceId, tenantId, details = {} }: Action) => ({
    ledgerId,
    id: newId('audit_entry'),
    action,
    resourceId,
    tenantId,
    details,
  });
}
