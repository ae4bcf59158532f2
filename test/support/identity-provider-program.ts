/** An identity provider in a separate process: oidc-provider, which signs its person in automatically. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import Provider from 'oidc-provider';
import type { ProviderControl, ProviderOptions } from './identity-provider.ts';

const options = JSON.parse(process.argv[2] ?? '') as ProviderOptions;
let person: ProviderControl = {};
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + (person.clockOffsetMs ?? 0);

const provider: Provider = new Provider(options.issuer, {
  clients: [
    {
      client_id: options.clientId,
      client_secret: options.clientSecret,
      redirect_uris: [options.redirectUri],
    },
  ],
  cookies: { keys: ['a key that is only good for tests'] },
  // False: the ID token itself contains the claims, as with most providers.
  conformIdTokenClaims: options.conforms,
  claims: { email: ['email', 'email_verified'], profile: ['phone_role'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id, ...person.claims }) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: options.clientId, accountId: oidc.session?.accountId ?? '' });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith('/interaction/')) return next();
  await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: 'a-person' } });
  ctx.respond = false;
});
process.on('message', (control: ProviderControl) => {
  person = control;
  process.send?.('done');
});
const server: Server = provider.listen(options.port, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
