/** The pages of operators: accounts and sessions, connections to carriers, queues and jobs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { addAttempts } from '../../src/server/queues/attempt-queries.ts';
import { checkAccess } from '../support/accessibility.ts';
import { postToken, signIn } from '../support/console.ts';
import { sql } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { connectTelnyx, INSTALLED_KINDS, type Installation } from './support/installation.ts';
import { useConsole } from './support/open-console.ts';

const { harness, skip, open } = await useConsole({ adapterKinds: [...INSTALLED_KINDS, SIP_KIND] });
let installation: Installation | undefined;
if (skip === false) installation = await connectTelnyx(harness);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

test('an account is made with a key of each mode, which are shown once', { skip }, async () => {
  const page = await open('');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' }).click();
  await press(page, 'New account');
  await press(page, 'Make the account');
  await page.locator('[aria-invalid=true][name=name]').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Copper State Apps');
  await press(page, 'Make the account');
  const keys: string[] = [];
  for (const mode of ['Test', 'Live']) {
    const region = page.getByRole('region', { name: `${mode} key` });
    keys.push(((await region.textContent()) ?? '').trim());
  }
  await press(page, 'I have stored them');
  await page.getByRole('row', { name: /Copper State Apps.*active/ }).waitFor();
  const content = await page.content();
  for (const key of keys) {
    assert.ok(!content.includes(key));
    assert.equal((await harness.call('GET', '/v1/tenants', { key })).status, 200);
  }
  await page.getByRole('link', { name: 'Live mode of Copper State Apps' }).click();
  await page.getByText('Live mode: real carriers').waitFor();
  await page.getByRole('banner').getByRole('button', { name: 'Copper State Apps' }).waitFor();
});

test('notices lead to their cause, are settled for all operators, and are opened again', { skip }, async () => {
  const { connectionId } = installation ?? assert.fail('there is no browser');
  const { db } = harness.context;
  const account = await harness.secondAccount();
  await sql(
    db,
    `insert into carrier_alarms (connection_id, capability, carrier_code, title, since, last_at)
     values ($1, 'messaging', '20100', 'Insufficient Funds', clock_timestamp(), clock_timestamp())`,
    [connectionId],
  );
  await sql(
    db,
    `insert into events (ledger_id, id, type, event_version, resource_id, sequence, data, created_at)
     select id, 'evt_911', 'emergency_call.placed', '1', 'call_911', 1, '{"from":"+16025550120"}', now()
     from ledgers where account_id = $1 and mode = 'live'`,
    [account.id],
  );
  const page = await open('/console/operator/accounts');
  const ofAccount = page.getByRole('row', { name: new RegExp(account.id) });
  await ofAccount.getByText('1 call to 911').waitFor();
  const notices = page.getByRole('table', { name: 'Notices that need an operator' });
  const call = notices.getByRole('row', { name: /Call to 911 from \(602\) 555-0120/ });
  await page.getByRole('heading', { name: 'Notices (2)' }).waitFor();
  await checkAccess(page, 'main');
  await call.getByRole('button', { name: /^Settle/ }).click();
  await call.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Notices (1)' }).waitFor();
  await ofAccount.getByText('1 call to 911').waitFor({ state: 'detached' });
  const other = await open('/console/operator/accounts', { session: await signIn(harness) });
  await other.getByRole('heading', { name: 'Notices (1)' }).waitFor();
  await other.getByText('Settled (1)').click();
  const settled = other.getByRole('table', { name: 'Settled notices' });
  await settled.getByRole('row', { name: /Call to 911.*an operator without a user/ }).waitFor();
  await checkAccess(other, 'main');
  await settled.getByRole('button', { name: /^Open again/ }).click();
  await other.getByRole('heading', { name: 'Notices (2)' }).waitFor();
  const refused = notices.getByRole('row', { name: /Insufficient Funds/ });
  await refused.getByRole('link').click();
  await page.waitForURL(`**/console/operator/connections/${connectionId}`);
  await sql(db, 'delete from carrier_alarms', []);
});

test('an account is credited and suspended after a question each, and is resumed', { skip }, async () => {
  const account = await harness.secondAccount();
  const page = await open('/console/operator/accounts');
  const row = page.getByRole('row', { name: new RegExp(account.id) });
  await row.getByRole('button', { name: 'Credit' }).click();
  await page.getByRole('textbox', { name: 'US dollars' }).fill('250');
  await press(page, 'Go on');
  await page.locator('[aria-invalid=true][name=reference]').waitFor();
  await page.getByRole('textbox', { name: 'Reference' }).fill('wire 7');
  await press(page, 'Go on');
  await page.getByText('The payment wire 7 adds to the balance').waitFor();
  await page
    .getByRole('dialog', { name: /^Credit \$250/ })
    .getByRole('button', { name: 'Cancel' })
    .click();
  assert.equal(await page.getByRole('textbox', { name: 'US dollars' }).inputValue(), '250');
  await press(page, 'Go on');
  await press(page, 'Credit it');
  await row.getByText('$250.00').waitFor();
  await row.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await row.getByText('suspended').waitFor();
  const refused = await harness.call('GET', '/v1/tenants', { key: account.test_key });
  assert.equal(refused.body.error.code, 'account_suspended');
  await row.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await row.getByText('active').waitFor();
});

test('a revoked session ends in its browser, and the own session is marked', { skip }, async () => {
  const other = await open('tenants', { session: await signIn(harness, harness.account.id) });
  await other.getByRole('heading', { name: 'Tenants', exact: true }).waitFor();
  const page = await open('/console/operator/sessions');
  await page
    .getByRole('row', { name: /this browser/ })
    .getByRole('button', { name: 'Sign out' })
    .waitFor();
  await page
    .getByRole('row', { name: new RegExp(harness.account.id) })
    .getByRole('button', { name: 'Revoke' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: new RegExp(harness.account.id) }).waitFor({ state: 'detached' });
  await other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Numbers' }).click();
  await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
});

test('a user is added, signs in by a link with the role that was chosen, and is removed', { skip }, async () => {
  const page = await open('/console/operator/users');
  await page.getByText('No users').waitFor();
  assert.equal(await page.getByRole('button', { name: 'New user' }).count(), 1);
  await press(page, 'New user');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('sam@example.com');
  await page.getByRole('combobox', { name: 'Account' }).press('ArrowDown');
  await page.getByRole('option').first().click();
  await press(page, 'Add the user');
  const row = page.getByRole('row', { name: /sam@example.com.*viewer/ });
  await row.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('button', { name: /^Viewer/ }).click();
  await page.getByRole('option', { name: /^Support/ }).click();
  await press(page, 'Save');
  const changed = page.getByRole('row', { name: /sam@example.com.*support/ });
  await changed.getByRole('button', { name: 'Sign-in link' }).click();
  const link = ((await page.getByRole('region', { name: 'The sign-in link' }).textContent()) ?? '').trim();
  await press(page, 'Done');
  const reply = await postToken(harness, link.split('#')[1] as string);
  assert.deepEqual([reply.body.role, reply.body.user.email], ['support', 'sam@example.com']);
  await changed.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await changed.waitFor({ state: 'detached' });
});

test('the session of one account opens no page of operators, and has no links to them', { skip }, async () => {
  const page = await open('/console/operator/accounts', { session: await signIn(harness, harness.account.id) });
  await page.getByText('This page needs the session of an operator').waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
  assert.equal(await page.getByRole('link', { name: 'Sessions' }).count(), 0);
  await page.getByRole('link', { name: 'Back to your account' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a check shows each question to the carrier, and the remedy of a bad answer', { skip }, async () => {
  const { telnyx } = installation ?? assert.fail('there is no browser');
  const page = await open('/console/operator/connections');
  await page.getByRole('row', { name: /Port-ins.*refused in live mode/ }).waitFor();
  await page.getByRole('table', { name: 'Connections' }).getByRole('link', { name: 'telnyx-us' }).click();
  await page.getByRole('row', { name: /Texts.*all accounts/ }).waitFor();
  await page.getByRole('row', { name: /Port-ins.*nobody/ }).waitFor();
  await press(page, 'Check the connection');
  const findings = page.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  await findings.filter({ hasText: /^key.*the account has/ }).waitFor();
  await findings.filter({ hasText: 'https://phone.example/carrier/telnyx/' }).waitFor();
  await telnyx.control.setBalance({ amount: 3 });
  await press(page, 'Check the connection');
  await findings.filter({ hasText: 'Add money to the account' }).waitFor();
});

test('a request in doubt is settled, and leaves the list', { skip }, async () => {
  const { connectionId } = installation ?? assert.fail('there is no browser');
  const page = await open(`/console/operator/connections/${connectionId}`);
  const row = page.getByRole('table', { name: 'Requests in doubt' }).getByRole('row', { name: /send/ });
  await row.getByRole('button', { name: 'Lacks it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('the request may be sent again').waitFor();
  await dialog.getByRole('button', { name: 'Settle as absent' }).click();
  await row.waitFor({ state: 'detached' });
  const settled = await sql<{ operation: string; outcome: string }>(
    harness.context.db,
    'select operation, outcome from carrier_requests where by_hand',
    [],
  );
  assert.deepEqual(settled, [{ operation: 'send', outcome: 'absent' }]);
});

test('notices are shown by what became of them', { skip }, async () => {
  const { connectionId } = installation ?? assert.fail('there is no browser');
  const page = await open(`/console/operator/connections/${connectionId}`);
  const rows = page.getByRole('table', { name: 'Notices' }).getByRole('row');
  await rows.filter({ hasText: 'message.finalized' }).waitFor();
  await page.getByRole('button', { name: /^Any State|State/ }).click();
  await page.getByRole('option', { name: /^Dropped/ }).click();
  await rows.filter({ hasText: 'message.finalized' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'call.hangup' }).waitFor();
});

test('the telephones of a SIP engine are listed with addresses, linked tenants, numbers, extensions and registrations', {
  skip,
}, async () => {
  const key = harness.account.live_key;
  const made = await harness.call('POST', '/v1/tenants', { key, body: { name: 'Desert Paws Clinic' } });
  const tenant: string = made.body.id;
  const phones = [
    {
      ...{ name: 'front', tenant, number: '+16025550100' },
      extensions: [{ digits: '102', to: 'sip_phone:back' }],
    },
    { name: 'back', tenant: 'tnt_01jd5h0s4mp1e0000000000000', number: '+16025550100' },
    { number: '+16025550101' },
  ];
  // The connection has no credentials, so no process can open it or connect to its engine.
  const id = await addConnection(harness.context, {
    kind: 'sip',
    name: 'office',
    settings: { engines: 'a=http://127.0.0.1:9', phones: JSON.stringify(phones) },
    credentials: {},
    capabilities: [],
  });
  const { db } = harness.context;
  await sql(
    db,
    `insert into sip_engines (connection_id, name, owner, owned_until, ready_at)
     values ($1, 'a', 'p', now() + interval '1 hour', now())`,
    [id],
  );
  await sql(
    db,
    `insert into sip_registrations (connection_id, engine, endpoint, is_registered, changed_at)
     values ($1, 'a', 'phone-front', true, now()), ($1, 'a', 'phone-back', false, now())`,
    [id],
  );
  const page = await open(`/console/operator/connections/${id}`);
  const table = page.getByRole('table', { name: 'Telephones' });
  await table
    .getByRole('row', {
      name: /^sip_phone:front \(602\) 555-0100 Desert Paws Clinic 102 → sip_phone:back registered since .+/,
    })
    .waitFor();
  await table
    .getByRole('row', { name: /^sip_phone:back .* tnt_01jd5h0s4mp1e0000000000000 – not registered/ })
    .waitFor();
  await table.getByRole('row', { name: '+16025550101 (602) 555-0101 – – unknown' }).waitFor();
  await table.getByRole('link', { name: 'Desert Paws Clinic' }).click();
  await page.getByRole('heading', { name: 'Desert Paws Clinic' }).waitFor();
  assert.match(page.url(), new RegExp(`/live/${harness.account.id}/tenants/${tenant}`));
  await page.goBack();
  assert.equal(await page.getByText('Setting phones').count(), 0);
  await page.getByText("carriers change office --set 'phones=[…]'").waitFor();
});

test('late work is named by its queue, kind and lane, and kinds by their error rate; the page follows by itself', {
  skip,
}, async () => {
  const { db } = harness.context;
  await addAttempts(db, [
    { kind: 'example.counted', attempts: 4, failed_attempts: 1 },
    { kind: 'example.healthy', attempts: 1, failed_attempts: 0 },
  ]);
  const page = await open('/console/operator/queues');
  const rates = page.getByRole('table', { name: 'Error rate by kind' });
  await rates.getByRole('row', { name: 'example.counted 25% 1 4' }).waitFor();
  assert.equal(await rates.getByText('example.healthy').count(), 0);
  await page.getByText('Everything else').first().waitFor();
  const [{ id: ledgerId } = { id: 0 }] = await sql<{ id: number }>(db, 'select id from ledgers limit 1', []);
  await sql(
    db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, attempts)
     select $1, 'late-' || n, 'audio', 'transcription.unknown', '{}', now() + interval '1 hour', 3
     from generate_series(1, 60) n`,
    [ledgerId],
  );
  await sql(
    db,
    `insert into lanes (ledger_id, kind, group_id, lane_key, pending, failures, run_at)
     values ($1, 'stuck.lane', 'one', 'a', 1, 2, now() + interval '1 hour')`,
    [ledgerId],
  );
  await page
    .getByRole('table', { name: 'Jobs by kind' })
    .getByRole('row', { name: /transcription.unknown.*60/ })
    .waitFor();
  await page.getByRole('region', { name: '2 lanes are stalled' }).waitFor();
  await page.getByRole('button', { name: /State$/ }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  const jobs = page.getByRole('table', { name: 'Jobs', exact: true });
  const first = jobs.getByRole('row', { name: /transcription.unknown failed/ }).first();
  await jobs.scrollIntoViewIfNeeded();
  await first.waitFor();
  assert.match(page.url(), /state=failed/);
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox', { name: 'Find' }).fill('connec');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connections', exact: true }).waitFor();
});
