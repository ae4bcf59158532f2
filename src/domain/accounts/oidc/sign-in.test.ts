/** The sign-in by a real identity provider in a separate process. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { signIn } from '../../../../test/support/console.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import {
  createPilgrim,
  type ProviderControl,
  startIdentityProvider,
} from '../../../../test/support/identity-provider.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { signToken, verifyToken } from '../../../lib/crypto/signed-token.ts';
import { PROGRAM } from '../../../lib/program.ts';

const publicUrl = 'http://localhost';
const redirectUri = `${publicUrl}/console/sign-in/callback`;
const provider = await startIdentityProvider({ port: await freePort(), redirectUri });
const harness = await useHarness({ startWorkers: false, oidc: provider.settings });
const { account, context } = harness;
const operator = await signIn(harness);

/** The outcome of the callback: the reason of a refusal, or the session of the browser. */
async function arrive(browser: ReturnType<typeof createPilgrim>, address: string) {
  const { location, text } = await browser.visit(address);
  if (location !== null) return { refused: new URL(location).searchParams.get('refused') };
  assert.match(text, /0; url=http:\/\/localhost\/console"/);
  const headers = { cookie: `dialplane_console=${browser.cookies().get('dialplane_console')}` };
  const { status, body } = await harness.call('GET', '/console/api/session', { key: null, headers });
  assert.equal(status, 200, JSON.stringify(body));
  return { role: body.role, account_id: body.account_id, email: body.user.email };
}

/** Lets a person sign in at the provider in a new browser, and come back. */
async function enter(person: ProviderControl, place = { url: harness.url, publicUrl }) {
  await provider.control(person);
  const browser = createPilgrim(place);
  return arrive(browser, await browser.travel());
}

let people = 0;
const newEmail = () => `person${people++}@example.com`;

async function addUser(role: string): Promise<string> {
  const email = newEmail();
  const body = { email, role, account_id: role === 'operator' ? null : account.id };
  assert.equal((await operator.call('POST', '/users', { body })).status, 201);
  return email;
}

describe('signing in by the provider', () => {
  test('a user is known by the address, in any case', async () => {
    const email = await addUser('support');
    const found = await enter({ claims: { email: email.toUpperCase(), email_verified: true } });
    assert.deepEqual(found, { role: 'support', account_id: account.id, email });
  });

  test('an unknown address, one that is not verified, and none are refused', async () => {
    const known = await addUser('viewer');
    assert.deepEqual(await enter({ claims: { email: newEmail() } }), { refused: 'unknown_email' });
    assert.deepEqual(await enter({ claims: { email: known, email_verified: false } }), { refused: 'unverified_email' });
    assert.deepEqual(await enter({ claims: {} }), { refused: 'no_email' });
    assert.deepEqual(await enter({ claims: { email: 'nobody' } }), { refused: 'no_email' });
  });

  test('the page of the sign-in offers it', async () => {
    const { body } = await harness.call('GET', '/console/api/sign_in_options', { key: null });
    assert.deepEqual(body, {
      object: 'sign_in_options',
      address: `${publicUrl}/console`,
      has_provider: true,
      program: PROGRAM,
    });
  });
});

describe('roles by a claim', () => {
  test('the claim makes a user, and changes the role at the next sign-in', async () => {
    const email = newEmail();
    const as = (phone_role: unknown) => enter({ claims: { email, phone_role } });
    assert.deepEqual(await as('viewer'), { role: 'viewer', account_id: account.id, email });
    assert.deepEqual(await as(['staff', 'admin']), { role: 'admin', account_id: account.id, email });
    assert.deepEqual(await as('operator'), { role: 'operator', account_id: null, email });
    const { body } = await operator.call('GET', '/users');
    const user = body.data.find((each: { email: string }) => each.email === email);
    assert.deepEqual([user.role, user.is_by_claim], ['operator', true]);
  });

  test('whom a claim has made is refused without the claim', async () => {
    const email = newEmail();
    await enter({ claims: { email, phone_role: 'admin' } });
    for (const phone_role of [undefined, 'staff', 7, ['owner']]) {
      assert.deepEqual(await enter({ claims: { email, phone_role } }), { refused: 'unknown_email' });
    }
  });

  test('whom an operator has added keeps the role without a claim', async () => {
    const email = await addUser('viewer');
    assert.deepEqual(await enter({ claims: { email } }), { role: 'viewer', account_id: account.id, email });
  });

  test('with several accounts the claim names one', async () => {
    const { id } = await harness.secondAccount();
    const email = newEmail();
    const as = (phone_role: string) => enter({ claims: { email, phone_role } });
    assert.deepEqual(await as('viewer'), { refused: 'unknown_account' });
    assert.deepEqual(await as('viewer:acct_none'), { refused: 'unknown_account' });
    assert.deepEqual(await as(`viewer:${id}`), { role: 'viewer', account_id: id, email });
  });
});

describe('what does not fit is refused', () => {
  const KIND = { keyLabel: 'console-oidc', prefix: 'svcoi_' };
  const failed = { refused: 'failed' };
  let email = '';
  before(async () => {
    email = await addUser('viewer');
  });

  /** A browser that has been at the provider and comes back. */
  async function comeBack() {
    await provider.control({ claims: { email } });
    const browser = createPilgrim({ url: harness.url, publicUrl });
    return { browser, address: await browser.travel() };
  }

  test('an address is good for one sign-in, in the browser that began it', async () => {
    const { browser, address } = await comeBack();
    const other = createPilgrim({ url: harness.url, publicUrl });
    assert.deepEqual(await arrive(other, address), failed);
    assert.deepEqual(await arrive(browser, address), { role: 'viewer', account_id: account.id, email });
    assert.deepEqual(await arrive(browser, address), failed);
  });

  test('another state and a wrong code', async () => {
    for (const name of ['state', 'code']) {
      const { browser, address } = await comeBack();
      const url = new URL(address);
      url.searchParams.set(name, 'x'.repeat(43));
      assert.deepEqual(await arrive(browser, url.href), failed, name);
    }
  });

  for (const part of ['nonce', 'verifier']) {
    test(`another ${part} than that of the attempt`, async () => {
      const { browser, address } = await comeBack();
      const token = browser.cookies().get('dialplane_oidc') ?? '';
      const nowS = context.clock.now() / 1_000;
      const verdict = verifyToken(context.cipher, KIND, token, nowS);
      assert.ok(verdict.ok);
      const claims = { ...verdict.claims, [part]: 'x'.repeat(43) };
      const changed = signToken(context.cipher, KIND, { claims, expiresAtS: verdict.expiresAtS });
      browser.cookies().set('dialplane_oidc', changed);
      assert.deepEqual(await arrive(browser, address), failed);
    });
  }

  test('an attempt of more than ten minutes ago, and a cookie that is not ours', async () => {
    const { browser, address } = await comeBack();
    const verdict = verifyToken(context.cipher, KIND, browser.cookies().get('dialplane_oidc') ?? '', 0);
    assert.ok(verdict.ok);
    const expiresAtS = Math.floor(context.clock.now() / 1_000) - 1;
    browser.cookies().set('dialplane_oidc', signToken(context.cipher, KIND, { claims: verdict.claims, expiresAtS }));
    assert.deepEqual(await arrive(browser, address), failed);
    browser.cookies().set('dialplane_oidc', 'svcoi_x.y');
    assert.deepEqual(await arrive(browser, address), failed);
  });

  test("a person who says no at the provider, in the provider's own words", async () => {
    const { browser } = await comeBack();
    const state = 'x';
    assert.deepEqual(await arrive(browser, `${redirectUri}?error=access_denied&state=${state}`), failed);
  });

  test('a token that has expired by our clock; one of a clock that is a little behind is taken', async () => {
    await provider.control({ claims: { email }, clockOffsetMs: -2 * 3_600_000 });
    const late = createPilgrim({ url: harness.url, publicUrl });
    assert.deepEqual(await arrive(late, await late.travel()), failed);
    const found = await enter({ claims: { email }, clockOffsetMs: -20_000 });
    assert.deepEqual(found, { role: 'viewer', account_id: account.id, email });
    await provider.control({});
  });
});

test('an address at the userinfo endpoint alone is read there', async () => {
  const conforming = await startIdentityProvider({ port: await freePort(), redirectUri, conforms: true });
  const place = await useHarness({ startWorkers: false, oidc: conforming.settings });
  const email = newEmail();
  await conforming.control({ claims: { email, phone_role: 'operator' } });
  const browser = createPilgrim({ url: place.url, publicUrl });
  const { location } = await browser.visit(await browser.travel());
  assert.equal(location, null);
});

test('a provider that is away refuses the sign-in, and is asked again by the next one', async () => {
  const port = await freePort();
  const settings = { ...provider.settings, issuer: `http://localhost:${port}` };
  const place = await useHarness({ startWorkers: false, oidc: settings });
  const browser = createPilgrim({ url: place.url, publicUrl });
  assert.equal(await browser.travel(), `${publicUrl}/console/sign-in?refused=failed`);
  const late = await startIdentityProvider({ port, redirectUri });
  await late.control({ claims: { email: newEmail(), phone_role: 'operator' } });
  const { location } = await browser.visit(await browser.travel());
  assert.equal(location, null);
});
