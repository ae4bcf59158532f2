/**
 * The identity provider of the installation: OpenID Connect Core 1.0 with the authorization code, PKCE (RFC 7636) and a
 * nonce, by the package openid-client, which is loaded with the first sign-in.
 */
import type { Configuration } from 'openid-client';
import { monotonicMs } from '../../../lib/time/time.ts';

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that gives a user's role; null if the roles of users are set in Dialplane. */
  readonly roleClaim: string | null;
};

/** The data that a browser must bring back. A signed cookie holds it while the person is at the provider. */
export type Attempt = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Claims of a person whose ID token was verified. */
export type Claims = Readonly<Record<string, unknown>>;

export type Provider = {
  /** Returns the provider's address for the browser, and the data that the browser must bring back. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly attempt: Attempt }>;
  /**
   * Exchanges the code in the address that the browser returned to. Rejects if any value does not match the attempt.
   */
  finish(url: URL, attempt: Attempt): Promise<Claims>;
};

/** The provider's addresses and keys may change: they are read again after this time. */
const DISCOVERY_MS = 3_600_000;
const TIMEOUT_S = 10;
/** The clocks of the provider and of this machine may differ by this much. */
const CLOCK_TOLERANCE_S = 30;

/** Creates the client of a provider. Sends no request before the first sign-in. */
export function createProvider({ issuer, clientId, clientSecret }: OidcSettings): Provider {
  let known: { readonly found: Promise<Configuration>; readonly atMs: number } | undefined;

  const discover = async (): Promise<Configuration> => {
    const { allowInsecureRequests, clockTolerance, discovery } = await import('openid-client');
    const metadata = { client_secret: clientSecret, [clockTolerance]: CLOCK_TOLERANCE_S };
    // The settings allow http only for a provider on this machine.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    return discovery(new URL(issuer), clientId, metadata, undefined, { execute, timeout: TIMEOUT_S });
  };
  const configuration = (): Promise<Configuration> => {
    if (known === undefined || monotonicMs() - known.atMs > DISCOVERY_MS) {
      const found = discover();
      known = { found, atMs: monotonicMs() };
      // After a failure, the next sign-in sends the request again.
      found.catch(() => {
        known = undefined;
      });
    }
    return known.found;
  };

  return {
    begin: async (redirectUri) => {
      const [config, client] = await Promise.all([configuration(), import('openid-client')]);
      const attempt = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        ...{ state: attempt.state, nonce: attempt.nonce },
        code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },
    finish: async (url, { state, nonce, verifier }) => {
      const [config, client] = await Promise.all([configuration(), import('openid-client')]);
      const tokens = await client.authorizationCodeGrant(config, url, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims() as Claims & { readonly sub: string };
      if (claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Some providers return the e-mail address only from this endpoint (OpenID Connect Core, 5.4).
      return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    },
  };
}
