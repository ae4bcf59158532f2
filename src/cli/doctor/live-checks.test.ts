import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../test/support/live-line.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { freePort } from '../../../test/support/ports.ts';
import { REPORTING_KIND, signReport } from '../../../test/support/reporting-carrier.ts';
import { ADAPTER_KINDS } from '../../server/parts/adapter-kinds.ts';
import { checkPublicPaths, checkPublicUrl, describeArchive } from './live-checks.ts';

const kinds = [...ADAPTER_KINDS, REPORTING_KIND];
const harness = await useHarness({ startWorkers: false, adapterKinds: kinds });

type Found = { readonly check: string; readonly state: string; readonly found: string; readonly advice?: string };

/** Runs `doctor`, and returns its findings by check. */
async function doctor(...words: string[]): Promise<Map<string, Found>> {
  const environment = { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET };
  const { out } = await runHere(['doctor', '--json', ...words], environment, kinds);
  return new Map((JSON.parse(out) as Found[]).map((finding) => [finding.check, finding]));
}

test('only with --live the doctor says what live keys need', async () => {
  assert.equal((await doctor()).has('public address'), false);
  const found = await doctor('--live');
  assert.equal(found.get('public address')?.state, 'bad');
  assert.match(found.get('public address')?.advice ?? '', /PUBLIC_URL/);
  assert.deepEqual([found.get('live secret')?.state, found.get('backups')?.state], ['good', 'note']);
  assert.match(found.get('live carriers')?.found ?? '', /none for numbers, messaging/);
});

test('a connection counts as proved once a report of it was taken', async () => {
  const capabilities = ['numbers'] as const;
  const connection = { kind: 'reporting', name: 'proved', credentials: { secret: 'its secret' } };
  const id = await addConnection(harness.context, { ...connection, capabilities });
  await harness.connections.refresh();
  const before = await doctor('--live');
  assert.deepEqual(
    [before.get('proved: reports')?.state, before.get('proved: reports')?.found],
    ['note', 'none in 7 days'],
  );
  assert.doesNotMatch(before.get('live carriers')?.found ?? '', /numbers/);
  const body = JSON.stringify([{ id: 'n1', key: 'k', type: 'weather', to: '+16025550199' }]);
  const headers = signReport('its secret', body);
  const reply = await fetch(`${harness.url}/carrier/reporting/${id}`, { method: 'POST', headers, body });
  assert.equal(reply.status, 200);
  assert.equal((await doctor('--live')).get('proved: reports')?.state, 'good');
});

test('the address that a carrier reports to is told apart from the address of the installation', async () => {
  const connection = { kind: 'reporting', credentials: { secret: 'its secret' }, capabilities: [] };
  const settings = (public_url: string) => ({ settings: { public_url } });
  await addConnection(harness.context, { ...connection, name: 'same', ...settings('http://localhost:8080/') });
  await addConnection(harness.context, { ...connection, name: 'other', ...settings('https://old.example.com') });
  const found = await doctor('--live');
  assert.deepEqual([found.get('same: public_url')?.state, found.get('other: public_url')?.state], ['good', 'note']);
  assert.match(found.get('other: public_url')?.found ?? '', /reports to https:\/\/old\.example\.com, PUBLIC_URL is/);
  assert.match(found.get('other: public_url')?.advice ?? '', /carriers change other --set public_url=.*setup other/);
});

describe('the public address', () => {
  test('must be https', async () => {
    assert.equal((await checkPublicUrl({ publicUrl: harness.url })).state, 'bad');
  });
  test('must be answered', async () => {
    const { state, found } = await checkPublicUrl({ publicUrl: `https://127.0.0.1:${await freePort()}` });
    assert.deepEqual([state, /ECONNREFUSED/.test(found)], ['bad', true]);
  });
  test('must lead here with every public path', async (t) => {
    assert.deepEqual(await checkPublicPaths(harness.url), {
      check: 'public address',
      state: 'good',
      found: `${harness.url} leads here`,
    });
    const proxy = createServer(async ({ url = '' }, reply) => {
      if (/^\/(carrier|embeds)\//.test(url)) return reply.writeHead(404).end();
      const { status, headers } = await fetch(harness.url + url, { redirect: 'manual' });
      return reply.writeHead(status, { 'request-id': headers.get('request-id') ?? '' }).end();
    }).listen(0, '127.0.0.1');
    t.after(() => proxy.close());
    await once(proxy, 'listening');
    const { state, found } = await checkPublicPaths(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    assert.deepEqual([state, found.replace(/^\S+ /, '')], ['bad', 'does not lead to /carrier/, /embeds/']);
  });
});

describe('an archive of the log', () => {
  for (const [archive, state] of [
    [{ is_on: false, age_hours: null }, 'note'],
    [{ is_on: true, age_hours: null }, 'note'],
    [{ is_on: true, age_hours: 2 }, 'good'],
    [{ is_on: true, age_hours: 30 }, 'note'],
  ] as const) {
    test(`${JSON.stringify(archive)} is ${state}`, () => assert.equal(describeArchive(archive).state, state));
  }
});

test('a live tenant whose emergency contacts no number can text is named', async () => {
  const { tenantId } = await openLiveLine(harness);
  const state = async () => (await doctor('--live')).get('emergency contacts');
  const set = (capabilities: string, status = 'active') =>
    sql(harness.context.db, 'update phone_numbers set capabilities = $1, status = $2 where id = $3', [
      capabilities,
      status,
      LIVE_NUMBER.id,
    ]);
  await set('{voice}');
  assert.equal((await state())?.state, 'good');
  const body = { emergency_contacts: ['+16025550110'] };
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, { key: harness.account.live_key, body });
  const named = await state();
  assert.equal(named?.state, 'note');
  assert.match(named?.found ?? '', new RegExp(`^1 live tenants have emergency contacts .*: Live \\(${tenantId}\\)$`));
  await set('{sms,voice}', 'released');
  assert.equal((await state())?.state, 'note');
  await set('{sms,voice}');
  assert.equal((await state())?.state, 'good');
});
