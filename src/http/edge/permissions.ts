/** The changes that a credential allows. A key has permissions; a user of the console has a role. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Scope, SessionRole } from '../../lib/scope.ts';

/** The changes that the role `support` may make, by method and route: conversations, contacts, texts and calls. */
const SUPPORT_CHANGES = /^\w+ \/v1\/(conversations|contacts|messages|calls)(\/|$)/;

const ROLE_PERMISSIONS: Readonly<Record<SessionRole, Pick<Scope, 'permissions'>>> = {
  operator: {},
  account: {},
  admin: {},
  support: { permissions: 'support' },
  viewer: { permissions: 'read' },
};

/** Returns the permissions of a role in the ledgers that its session opens. */
export function permissionsOf(role: SessionRole): Pick<Scope, 'permissions'> {
  return ROLE_PERMISSIONS[role];
}

/** True if a role may change the account itself: its users, its keys, and the sessions of other users. */
export function mayChangeAccount(role: SessionRole): boolean {
  return ROLE_PERMISSIONS[role].permissions === undefined;
}

/** Refuses a change if the credential of the request does not allow it. Error: key_not_permitted. */
export function requirePermission(
  { method, routeOptions: { url, config } }: FastifyRequest,
  { permissions = 'write', user }: Scope,
): void {
  if (permissions === 'write' || method === 'GET' || method === 'HEAD' || config.hasNoEffect) return;
  if (permissions === 'support' && SUPPORT_CHANGES.test(`${method} ${url}`)) return;
  const message = user === undefined ? 'This key may only read.' : `The role of ${user.email} does not allow this.`;
  throw new ApiError('key_not_permitted', { message });
}
