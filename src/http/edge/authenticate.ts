import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { BrowserGrant } from '../../lib/abilities.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { KeyPermissions, Mode, Scope, SessionRole, UserName } from '../../lib/scope.ts';
import { readCookie } from '../console/cookie.ts';
import { type LedgerTarget, ledgerTargetOf } from '../console/ledger-path.ts';
import { RATE_OF_KEY, type Rate, rateOfKey } from '../limits/rate-limit.ts';
import type { LedgerPlace } from './moved.ts';
import { permissionsOf } from './permissions.ts';
import { createMemory } from './remember.ts';

type AccountStatus = 'active' | 'suspended';

/** The owner of a stored key or browser session: its account, ledger and tenant. */
export type KeyHolder = LedgerPlace & {
  key_id: string;
  tenant_id: string | null;
  ledger_id: number;
  account_id: string;
  mode: Mode;
  account_status: AccountStatus;
  expires_at: Date | null;
  /** Absent for a browser session. */
  permissions?: KeyPermissions;
  /** Requests per second; null if no limit was set. Absent for a browser session. */
  rate_limit?: number | null;
  /** True if the whole installation is paused. */
  is_paused: boolean;
  /** The limits of a browser session; absent for a key. */
  browser?: BrowserGrant;
};

/** Looks up keys and browser sessions. `find` gets a credential of the right form, and its SHA-256. */
export type KeyDirectory = {
  form: RegExp;
  hash(key: string): Buffer;
  find(hash: Buffer, credential: string): Promise<KeyHolder | undefined>;
  /** Returns whether the account of a ledger is suspended, and whether the ledger is in this database. */
  findState(ledgerId: number): Promise<(LedgerPlace & { suspended: boolean }) | undefined>;
  /**
   * Reports keys, browser sessions and console sessions that have just ended, on this or another node. An empty hash
   * means that what is cached about every key may be outdated.
   */
  onEnded(listener: (hash: Buffer) => void): void;
};

/** A console session: a browser that is signed in, as an operator or for one account. */
export type Session = {
  readonly id: string;
  readonly role: SessionRole;
  readonly user: UserName | null;
  /** Null for an operator, who may use every account. */
  readonly account_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** Exact to a minute. */
  readonly last_seen_at: Date;
  readonly user_agent: string | null;
};

type SessionHolder = Session & {
  /** True if the whole installation is paused. */
  readonly is_paused: boolean;
};

/** Looks up console sessions. `find` gets the SHA-256 of a secret of the right form. */
export type SessionDirectory = {
  form: RegExp;
  hash(secret: string): Buffer;
  find(hash: Buffer): Promise<SessionHolder | undefined>;
  findLedger(
    target: LedgerTarget,
  ): Promise<(LedgerPlace & { ledger_id: number; account_status: AccountStatus }) | undefined>;
};

export type Credentials = { readonly keys: KeyDirectory; readonly sessions: SessionDirectory };

/** The caller of a request. A suspended account is also a caller, so its replies have RateLimit headers. */
type Caller = {
  readonly scope: Scope;
  readonly isSuspended: boolean;
  readonly isPaused: boolean;
  readonly place: LedgerPlace;
  readonly rate: Rate;
};

export type Authenticator = {
  /**
   * Reads the caller of a request from its key. For a path of the console, reads the caller from its session. Errors:
   * missing_api_key, malformed_authorization, invalid_api_key; not_signed_in, account_not_found.
   */
  authenticate(request: FastifyRequest): Promise<Caller>;
  /** Reads the console session of a request. Errors: not_signed_in. */
  readSession(request: FastifyRequest): Promise<SessionHolder>;
};

/** Creates the one authenticator of the edge. It caches the result of a lookup for at most 3 s. */
export function createAuthenticator({ clock }: Pick<Context, 'clock'>, { keys, sessions }: Credentials): Authenticator {
  const knownKeys = createMemory<KeyHolder | undefined>(clock);
  const knownSessions = createMemory<SessionHolder | undefined>(clock);
  const knownLedgers = createMemory<Awaited<ReturnType<SessionDirectory['findLedger']>>>(clock);

  keys.onEnded((hash) => {
    if (hash.length === 0) for (const memory of [knownKeys, knownSessions, knownLedgers]) memory.forgetAll();
    const name = hash.toString('base64');
    knownKeys.forget(name);
    knownSessions.forget(name);
  });

  async function callerOfKey({ headers }: FastifyRequest): Promise<Caller> {
    const key = bearerOf(headers.authorization);
    if (!keys.form.test(key)) throw new ApiError('invalid_api_key');
    const hash = keys.hash(key);
    const holder = await knownKeys.get(hash.toString('base64'), () => keys.find(hash, key));
    if (holder === undefined) throw new ApiError('invalid_api_key');
    const scope = scopeOfKey(holder);
    const rate = rateOfKey(holder.rate_limit ?? undefined);
    return {
      scope,
      isSuspended: holder.account_status === 'suspended',
      isPaused: holder.is_paused,
      place: holder,
      rate,
    };
  }

  async function readSession(request: FastifyRequest): Promise<SessionHolder> {
    const secret = readCookie(request);
    if (secret === undefined || !sessions.form.test(secret)) throw new ApiError('not_signed_in');
    const hash = sessions.hash(secret);
    const session = await knownSessions.get(hash.toString('base64'), () => sessions.find(hash));
    // The session may have expired while it was cached.
    if (session === undefined || session.expires_at.getTime() <= clock.now()) throw new ApiError('not_signed_in');
    return session;
  }

  async function callerOfSession(request: FastifyRequest, target: LedgerTarget): Promise<Caller> {
    const { id, role, user, account_id, expires_at, is_paused } = await readSession(request);
    const { accountId, mode } = target;
    // A session of one account must not show that other accounts exist.
    if (account_id !== null && account_id !== accountId) throw new ApiError('account_not_found');
    const ledger = await knownLedgers.get(`${accountId}/${mode}`, () => sessions.findLedger(target));
    if (ledger === undefined) throw new ApiError('account_not_found');
    const scope = {
      ...{ accountId, mode, ledgerId: ledger.ledger_id, tenantId: null },
      ...{ keyId: id, keyExpiresAt: expires_at },
      ...permissionsOf(role),
      ...(user !== null && { user }),
    };
    const isSuspended = ledger.account_status === 'suspended';
    return { scope, isSuspended, isPaused: is_paused, place: ledger, rate: RATE_OF_KEY };
  }

  return {
    authenticate: async (request) => {
      const target = ledgerTargetOf(request.raw);
      return target === undefined ? await callerOfKey(request) : await callerOfSession(request, target);
    },
    readSession,
  };
}

function scopeOfKey(holder: KeyHolder): Scope {
  return {
    accountId: holder.account_id,
    ledgerId: holder.ledger_id,
    mode: holder.mode,
    tenantId: holder.tenant_id,
    keyId: holder.key_id,
    keyExpiresAt: holder.expires_at,
    ...(holder.permissions !== undefined && { permissions: holder.permissions }),
    ...(holder.browser !== undefined && { browser: holder.browser }),
  };
}

function bearerOf(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw new ApiError('missing_api_key');
  // RFC 9110, 11.1: the scheme is case-insensitive, and one or more spaces may follow it. The text after the spaces is
  // checked as a key, even if it is empty.
  const match = /^bearer(?: +(.*))?$/i.exec(header.trim());
  if (match === null) throw new ApiError('malformed_authorization');
  return match[1] ?? '';
}
