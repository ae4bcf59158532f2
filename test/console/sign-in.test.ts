/** The sign-in to the console by an identity provider, in a browser: another site, as providers are. */
import { test } from 'node:test';
import { noChromium } from '../support/chromium.ts';
import { signIn } from '../support/console.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { freePort } from '../support/ports.ts';
import { useConsole } from './support/open-console.ts';

const port = await freePort();
const redirectUri = `http://127.0.0.1:${port}/console/sign-in/callback`;
let provider: IdentityProvider | undefined;
if (noChromium === false) provider = await startIdentityProvider({ port: await freePort(), redirectUri });
const { harness, skip, open } = await useConsole({ port, oidc: provider?.settings ?? null });

test('a user signs in with the organisation and is in the console; a stranger reads why not', { skip }, async () => {
  await provider?.control({ claims: { email: 'sam@example.com' } });
  const page = await open('/console/sign-in', { isSignedOut: true });
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
  await page.getByText('Your address is no user of this console.').waitFor();
  const body = { email: 'sam@example.com', role: 'viewer', account_id: harness.account.id };
  await (await signIn(harness)).call('POST', '/users', { body });
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByText('sam@example.com').waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor();
});
