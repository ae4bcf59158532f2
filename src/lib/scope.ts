import type { BrowserGrant } from './abilities.ts';
import { ApiError, type ErrorCode } from './errors/errors.ts';

export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

/** The permissions of a key: everything that its tenant and mode allow, or only reading. */
export const KEY_PERMISSIONS = ['write', 'read'] as const;
export type KeyPermissions = (typeof KEY_PERMISSIONS)[number];

/**
 * The role of a console session. A link for one account has the role `account`: it belongs to no user, and has the
 * rights of an admin.
 */
export type SessionRole = 'operator' | 'account' | 'admin' | 'support' | 'viewer';

/** A person who uses the console. */
export type UserName = { readonly id: string; readonly email: string };

/** One account in one mode. Every row, event, job and cache key belongs to exactly one ledger. */
export type Ledger = {
  readonly ledgerId: number;
  readonly accountId: string;
  readonly mode: Mode;
};

/** The range of a credential: a ledger, and within it all tenants (`tenantId` null) or one. */
export type Scope = Ledger & {
  readonly tenantId: string | null;
  readonly keyId: string;
  /** When the key expires, if known; absent if the scope has no credential. */
  readonly keyExpiresAt?: Date | null;
  /**
   * Absent if the credential may change everything that its tenant and mode allow. Absent for a browser session too:
   * its abilities limit it. `support`: the permissions of a user who serves customers (http/edge/permissions.ts).
   */
  readonly permissions?: KeyPermissions | 'support';
  /** The user of a console session; absent if the session belongs to no user. */
  readonly user?: UserName;
  /**
   * The limits of a browser session; absent for any other credential. If it is set, `keyId` is the id of the session.
   */
  readonly browser?: BrowserGrant;
};

/**
 * Returns the row if this scope may see it. Throws `code` (404) for an absent row. Throws `tenant_restricted_key` (403)
 * if the key is of one tenant and the row of another.
 * @param param the request field that named the row, if it was not the path
 */
export function visible<Row extends { tenant_id: string | null }>(
  scope: Pick<Scope, 'tenantId'>,
  row: Row | undefined,
  code: ErrorCode,
  param?: string,
): Row {
  const named = param === undefined ? {} : { param };
  if (row === undefined) throw new ApiError(code, named);
  if (scope.tenantId !== null && row.tenant_id !== scope.tenantId) throw new ApiError('tenant_restricted_key', named);
  return row;
}
