import type { OidcSettings } from '../../domain/accounts/index.ts';
import type { EnvironmentReader } from './environment-reader.ts';

/** Hosts of providers that may be requested without TLS. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Reads the settings of the console's identity provider; null if none is set. Incomplete settings are a problem. */
export function readOidcSettings(read: EnvironmentReader, problems: string[]): OidcSettings | null {
  const issuer = read.url('DIALPLANE_OIDC_ISSUER', ['https:', 'http:']);
  const clientId = read.text('DIALPLANE_OIDC_CLIENT_ID');
  const clientSecret = read.text('DIALPLANE_OIDC_CLIENT_SECRET');
  const roleClaim = read.text('DIALPLANE_OIDC_ROLE_CLAIM') ?? null;
  const given = { DIALPLANE_OIDC_CLIENT_ID: clientId, DIALPLANE_OIDC_CLIENT_SECRET: clientSecret };
  if (issuer === null) {
    for (const [name, value] of Object.entries({ ...given, DIALPLANE_OIDC_ROLE_CLAIM: roleClaim })) {
      if (value) problems.push(`${name} is set, but DIALPLANE_OIDC_ISSUER is not: give the issuer, or unset ${name}`);
    }
    return null;
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) problems.push(`${name} is missing, and the issuer (DIALPLANE_OIDC_ISSUER) needs it`);
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !LOOPBACK.test(hostname)) {
    problems.push('DIALPLANE_OIDC_ISSUER begins with http://, which is allowed for this machine alone: use https://');
  }
  return Object.freeze({ issuer, clientId: clientId ?? '', clientSecret: clientSecret ?? '', roleClaim });
}
