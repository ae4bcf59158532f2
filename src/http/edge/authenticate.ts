import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { BrowserGrant } from '../../lib/abilities.ts';
import { ApiError } from '../../lib/errors.ts';
import type { Mode, Scope } from '../../lib/scope.ts';

/** A stored key or browser session: its account, ledger and tenant. */
export type KeyHolder = {
  key_id: string;
  tenant_id: string | null;
  ledger_id: number;
  account_id: string;
  mode: Mode;
  account_status: 'active' | 'suspended';
  expires_at: Date | null;
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
  /** True if the account of the ledger is suspended. */
  isSuspended(ledgerId: number): Promise<boolean>;
  /** Reports keys that have just ended, here or on another node. */
  onEnded(listener: (hash: Buffer) => void): void;
};

/** How long a node uses a remembered key; a revocation takes effect on every node within 5 s. */
const TRUST_MS = 3_000;
const KEYS_MAX = 20_000;

type Known = { holder: KeyHolder | undefined; untilMs: number };

/** The caller of a request. A suspended account is a caller too: its replies have RateLimit headers. */
export type Caller = { readonly scope: Scope; readonly isSuspended: boolean; readonly isPaused: boolean };

/** Reads the caller of a request from its key. Errors: missing_api_key, malformed_authorization, invalid_api_key. */
export function createAuthenticator({ clock }: Pick<Context, 'clock'>, directory: KeyDirectory) {
  const known = new Map<string, Known>();
  const lookups = new Map<string, Promise<KeyHolder | undefined>>();

  async function holderOf(key: string): Promise<KeyHolder | undefined> {
    const hash = directory.hash(key);
    const name = hash.toString('base64');
    const remembered = known.get(name);
    if (remembered !== undefined && remembered.untilMs > clock.now()) return remembered.holder;
    // Requests that arrive during a lookup of the key share the lookup.
    const running = lookups.get(name) ?? look(name, hash, key);
    return await running;
  }

  function look(name: string, hash: Buffer, key: string): Promise<KeyHolder | undefined> {
    const askedMs = clock.now();
    const lookup = directory
      .find(hash, key)
      .then((holder) => {
        // The key has ended during the lookup: the result may be from before its end.
        if (lookups.get(name) !== lookup) return holder;
        known.delete(name);
        known.set(name, { holder, untilMs: askedMs + TRUST_MS });
        if (known.size > KEYS_MAX) known.delete(known.keys().next().value as string);
        return holder;
      })
      .finally(() => {
        if (lookups.get(name) === lookup) lookups.delete(name);
      });
    lookups.set(name, lookup);
    return lookup;
  }

  directory.onEnded((hash) => {
    const name = hash.toString('base64');
    known.delete(name);
    lookups.delete(name);
  });

  return async function authenticate(request: FastifyRequest): Promise<Caller> {
    const key = bearerOf(request.headers.authorization);
    if (!directory.form.test(key)) throw new ApiError('invalid_api_key');
    const holder = await holderOf(key);
    if (holder === undefined) throw new ApiError('invalid_api_key');
    const scope = {
      accountId: holder.account_id,
      ledgerId: holder.ledger_id,
      mode: holder.mode,
      tenantId: holder.tenant_id,
      keyId: holder.key_id,
      keyExpiresAt: holder.expires_at,
      ...(holder.browser !== undefined && { browser: holder.browser }),
    };
    return { scope, isSuspended: holder.account_status === 'suspended', isPaused: holder.is_paused };
  };
}

function bearerOf(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw new ApiError('missing_api_key');
  // RFC 9110, 11.1: the scheme is case-insensitive and one or more spaces may follow it. Text after the spaces, also
  // empty text, is judged as a key.
  const match = /^bearer(?: +(.*))?$/i.exec(header.trim());
  if (match === null) throw new ApiError('malformed_authorization');
  return match[1] ?? '';
}
