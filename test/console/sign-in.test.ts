/** The sign-in to the console in a browser: by an identity provider on another site, and by a link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noChromium } from '../support/chromium.ts';
import { makeToken, signIn } from '../support/console.ts';
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
  await page.getByText('No user of this console has your address.').waitFor();
  const body = { email: 'sam@example.com', role: 'viewer', account_id: harness.account.id };
  await (await signIn(harness)).call('POST', '/users', { body });
  await page.getByRole('button', { name: 'Sign in with your organisation' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByText('sam@example.com').waitFor();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor();
});

test('a sign-in leads to the page that was asked for, and never to another host', { skip }, async () => {
  const { publicUrl } = harness.context.settings;
  const calls = `/test/${harness.account.id}/calls`;
  for (const [from, place] of [
    [calls, `/console${calls}`],
    ['https://127.0.0.2/', `/console/test/${harness.account.id}`],
    ['//127.0.0.2/', `/console/test/${harness.account.id}`],
    ['/\\127.0.0.2/', `/console/test/${harness.account.id}`],
  ] as const) {
    const token = await makeToken(harness);
    const page = await open(`/console/sign-in?from=${encodeURIComponent(from)}#${token}`, { isSignedOut: true });
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Your menu' }).waitFor();
    assert.equal(new URL(page.url()).origin, publicUrl);
    assert.equal(new URL(page.url()).pathname, place, from);
  }
});

test('at another address of the server the page leads to the console’s own, with the token', { skip }, async () => {
  const { publicUrl } = harness.context.settings;
  const page = await open('/console/sign-in', { isSignedOut: true });
  await page.getByRole('button', { name: 'Sign in with your organisation' }).waitFor();
  assert.equal(await page.getByText('The console has another address').count(), 0);
  const token = await makeToken(harness);
  await page.goto(`${publicUrl.replace('127.0.0.1', 'localhost')}/console/sign-in#${token}`);
  await page.getByRole('link', { name: `${publicUrl}/console` }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(new URL(page.url()).origin, publicUrl);
});
