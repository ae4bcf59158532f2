/** An identity provider for the sign-in to the console, in a separate process, and a browser that uses it. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OidcSettings } from '../../src/domain/accounts/index.ts';
import { FOLLOW_PARENT } from './cli-process.ts';
import { closeAfterTests } from './close-after-tests.ts';

const PROGRAM = fileURLToPath(new URL('identity-provider-program.ts', import.meta.url));

/** The person who signs in, and the clock. */
export type ProviderControl = {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly clockOffsetMs?: number;
};

export type ProviderOptions = {
  readonly issuer: string;
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  /** True if only the userinfo endpoint has the person's claims, and the ID token does not. */
  readonly conforms: boolean;
};

export type IdentityProvider = {
  readonly settings: OidcSettings;
  control(person: ProviderControl): Promise<void>;
  stop(): Promise<void>;
};

type Wanted = { readonly port: number; readonly redirectUri: string; readonly conforms?: boolean };

/** Starts a provider on a port of 127.0.0.1, which is killed after the tests of the file. */
export async function startIdentityProvider({
  port,
  redirectUri,
  conforms = false,
}: Wanted): Promise<IdentityProvider> {
  // A site other than the product's, which is 127.0.0.1.
  const issuer = `http://localhost:${port}`;
  const client = { clientId: 'dialplane', clientSecret: 'a client secret that is only good for tests' };
  const options: ProviderOptions = { issuer, port, redirectUri, conforms, ...client };
  const child = fork(PROGRAM, [JSON.stringify(options)], {
    execArgv: ['--import', FOLLOW_PARENT],
    // Ignores the provider's warning that it keeps everything in memory.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  closeAfterTests(stop);
  await once(child, 'message');
  return {
    settings: { issuer, ...client, roleClaim: 'phone_role' },
    control: async (person) => {
      const done = once(child, 'message');
      child.send(person);
      await done;
    },
    stop,
  };
}

/** A browser with cookies that follows redirects. Redirects to `publicUrl` go to the product at `url`. */
export function createPilgrim({ url, publicUrl }: { readonly url: string; readonly publicUrl: string }) {
  const jar = new Map<string, Map<string, string>>();
  const isOurs = (address: string) => new URL(address).origin === publicUrl;
  const visit = async (address: string): Promise<{ status: number; location: string | null; text: string }> => {
    const target = isOurs(address) ? `${url}${address.slice(publicUrl.length)}` : address;
    const { origin } = new URL(target);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(target, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1);
      const [name = ''] = pair.split('=', 1);
      cookies.set(name, pair.slice(name.length + 1));
    }
    const location = reply.headers.get('location');
    return {
      status: reply.status,
      location: location === null ? null : new URL(location, target).href,
      text: await reply.text(),
    };
  };
  return {
    visit,
    /** The cookies of the product. */
    cookies: () => jar.get(url) ?? new Map<string, string>(),
    /** Follows redirects until one leads to the product. Returns that address without opening it. */
    travel: async (from = `${publicUrl}/console/sign-in/oidc`): Promise<string> => {
      let address = from;
      for (let hops = 0; hops < 10; hops++) {
        const { location, status, text } = await visit(address);
        if (location === null) assert.fail(`${address} answered ${status}: ${text.slice(0, 500)}`);
        address = location;
        if (isOurs(address)) return address;
      }
      return assert.fail('the browser was sent on ten times');
    },
  };
}
