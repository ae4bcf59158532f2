/** A browser with a session of the console, for tests of its API. */
import { LINK_LIFE_S, makeSignInLink } from '../../src/domain/accounts/index.ts';
import type { CallOptions, Reply } from './caller.ts';
import type { Harness } from './harness.ts';

type Place = Pick<Harness, 'context' | 'call'>;

/** The header that the console sends with each request except GET. */
const CONSOLE_HEADERS = { 'dialplane-console': '1' };

export type Browser = {
  readonly cookie: string;
  /** The whole Set-Cookie header of the sign-in. */
  readonly setCookie: string;
  readonly session: Reply['body'];
  /** Sends a request to a path below /console/api, in the way of the console. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
};

/** Makes a sign-in link, for an operator or for one account, and returns its token. */
export async function makeToken({ context }: Pick<Place, 'context'>, accountId: string | null = null): Promise<string> {
  const { publicUrl } = context.settings;
  const link = await makeSignInLink(context.db, { accountId, publicUrl, lifeS: LINK_LIFE_S });
  return link.split('#')[1] as string;
}

/** Posts a token as the page of the sign-in link does. */
export function postToken({ call }: Pick<Place, 'call'>, token: string, options: CallOptions = {}): Promise<Reply> {
  const headers = { ...CONSOLE_HEADERS, ...options.headers };
  return call('POST', '/console/api/session', { key: null, body: { token }, ...options, headers });
}

/** Signs a browser in, as an operator or for one account. */
export async function signIn(place: Place, accountId: string | null = null): Promise<Browser> {
  return enter(place, await makeToken(place, accountId));
}

/** Signs a browser in as a user, with a link that a session has made. */
export async function signInUser(place: Place, by: Pick<Browser, 'call'>, userId: string): Promise<Browser> {
  const { status, body } = await by.call('POST', `/users/${userId}/sign_in_link`);
  if (status !== 201) throw new Error(`no link: ${JSON.stringify(body)}`);
  return enter(place, body.url.split('#')[1]);
}

async function enter(place: Place, token: string): Promise<Browser> {
  const reply = await postToken(place, token);
  if (reply.status !== 201) throw new Error(`not signed in: ${JSON.stringify(reply.body)}`);
  const setCookie = reply.headers.get('set-cookie') as string;
  const cookie = setCookie.split(';', 1)[0] as string;
  return {
    ...{ cookie, setCookie, session: reply.body },
    call: (method, path, { headers = {}, ...options } = {}) => {
      const own = method === 'GET' || method === 'HEAD' ? {} : CONSOLE_HEADERS;
      return place.call(method, `/console/api${path}`, {
        key: null,
        ...options,
        headers: { cookie, ...own, ...headers },
      });
    },
  };
}
