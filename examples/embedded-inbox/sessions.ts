import { randomBytes } from 'node:crypto';

const SESSION_MS = 8 * 60 * 60 * 1000;

/** The sessions of browsers. If you run several processes, keep the sessions in a shared store, such as a database. */
export class Sessions {
  readonly #sessions = new Map<string, { tenantId: string; endsAt: number }>();
  readonly #logins = new Map<string, string>();

  /** Returns the path of a login that works once. In your product, the page of your own login leads there. */
  createLogin(tenantId: string): string {
    const secret = newSecret();
    this.#logins.set(secret, tenantId);
    return `/login/${secret}`;
  }

  /**
   * Returns a cookie that scripts cannot read and other sites cannot use; undefined if the login was used before.
   * Behind https, add `Secure`.
   */
  logIn(secret: string): string | undefined {
    const tenantId = this.#logins.get(secret);
    if (tenantId === undefined) return undefined;
    this.#logins.delete(secret);
    const id = newSecret();
    this.#sessions.set(id, { tenantId, endsAt: Date.now() + SESSION_MS });
    return `session=${id}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_MS / 1000}`;
  }

  /** Returns the tenant of the session that a Cookie header names. */
  tenantOf(cookies = ''): string | undefined {
    const [, id = ''] = /(?:^|; )session=([\w-]+)/.exec(cookies) ?? [];
    const session = this.#sessions.get(id);
    if (session !== undefined && session.endsAt > Date.now()) return session.tenantId;
    this.#sessions.delete(id);
    return undefined;
  }
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}
