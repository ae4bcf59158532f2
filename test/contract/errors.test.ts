import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_GROUPS, ERRORS, type ErrorCode } from '../../src/lib/errors/errors.ts';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import { cloneDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { startHarness } from '../support/harness.ts';
import { fund } from '../support/money.ts';
import { findOnSale } from '../support/numbers.ts';
import { type Route, routes } from './document.ts';
import { assertUnchanged, effectsIn, watchEffects } from './effects.ts';
import { MET_ELSEWHERE, PROVOCATIONS } from './provocations.ts';
import { assertListed, assertRefused } from './requests.ts';
import { useWorlds } from './world.ts';

const worlds = await useWorlds();

const CODES = Object.keys(ERRORS) as ErrorCode[];
const ROOT = new URL('../../', import.meta.url);

test('docs/errors.md lists every code and no other', () => {
  const page = readFileSync(new URL('docs/errors.md', ROOT), 'utf8');
  const documented = [...page.matchAll(/^\| <a id="(\w+)"><\/a>`(\w+)` \| (\d{3}) \|/gm)];
  assert.deepEqual(documented.map(([, , code]) => code).sort(), [...CODES].sort());
  for (const [, anchor, code, status] of documented) {
    assert.equal(anchor, code);
    assert.equal(Number(status), ERRORS[code as ErrorCode].status);
  }
  for (const title of Object.values(ERROR_GROUPS)) assert.ok(page.includes(`## ${title}\n`), title);
});

test('every code is used somewhere', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && path !== 'src/lib/errors/errors.ts',
  );
  const source = files.map((path) => readFileSync(new URL(path, ROOT), 'utf8')).join('\n');
  assert.deepEqual(
    CODES.filter((code) => !source.includes(`'${code}'`)),
    [],
  );
});

test('every code is provoked by a test', () => {
  const met = [...Object.keys(PROVOCATIONS), ...Object.keys(MET_ELSEWHERE)];
  assert.deepEqual(met.sort(), [...CODES].sort());
});

test('not-found codes are 404, and no other codes except those that name no resource', () => {
  for (const code of CODES.filter((each) => each.endsWith('not_found'))) assert.equal(ERRORS[code].status, 404, code);
  assert.deepEqual(
    CODES.filter((code) => ERRORS[code].status === 404 && !code.endsWith('not_found')),
    [],
  );
});

/** The operation that a request goes to. */
function routeOf(method: string, target: string): Route | undefined {
  const [path = ''] = target.split('?');
  const isOf = (route: Route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const found = routes.filter((route) => route.method === method && isOf(route));
  return found.find((route) => route.path === path) ?? found[0];
}

for (const [code, provoke] of Object.entries(PROVOCATIONS) as [ErrorCode, (typeof PROVOCATIONS)[ErrorCode]][]) {
  test(`${code} is met as documented, and changes nothing`, async () => {
    const {
      method,
      path,
      param,
      status = ERRORS[code].status,
      ...options
    } = (await provoke?.(worlds)) ?? assert.fail();
    const { harness, home } = worlds;
    const before = await effectsIn(worlds);
    const reply = await harness.call(method, path, { key: home.key, ...options });
    assertRefused(reply, status, code);
    assert.equal(reply.body.error.param, param);
    const route = routeOf(method, path);
    if (route !== undefined) assertListed(route, reply);
    assertUnchanged(code, before, await effectsIn(worlds));
  });
}

/** Addresses of WebSockets, as clients, web clients and carriers get them. */
const WEB_SOCKETS = [
  '/v1/realtime',
  '/v1/softphone',
  '/v1/softphone/audio',
  '/v1/softphone/audio/node_1',
  '/v1/streams/node_1/stm_1',
  '/v1/ingest',
];

for (const path of WEB_SOCKETS) {
  test(`${path} answers an ordinary request with upgrade_required, with or without a key`, async () => {
    const { harness, home } = worlds;
    for (const [place, key] of [
      [path, null],
      [`${path}?token=x`, null],
      [path, home.key],
    ] as const) {
      const reply = await harness.call('GET', place, { key });
      assertRefused(reply, 426, 'upgrade_required');
      assert.equal(reply.headers.get('upgrade'), 'websocket');
    }
    assertRefused(await harness.call('POST', path, { key: home.key }), 405, 'method_not_allowed');
  });
}

test('insufficient_balance is met by registrations and purchases below 20 USD, and changes nothing', async () => {
  const harness = await startHarness({ startWorkers: false, injects: true, liveCarrier: ({ simulated }) => simulated });
  try {
    const key = harness.account.live_key;
    const make = async (path: string, body: object) => (await harness.call('POST', path, { key, body })).body.id;
    await fund(harness, '83');
    const tenant_id = await make('/v1/tenants', { name: 'x' });
    const campaign = { ...CAMPAIGN, tenant_id, brand_id: await make('/v1/brands', BRAND) };
    const draft = await make('/v1/campaigns', { ...campaign, draft: true });
    const campaign_id = await make('/v1/campaigns', campaign);
    const assertNoEffect = await watchEffects({ harness, receiver: worlds.receiver });
    const phone_number = await findOnSale(harness, key);
    for (const [path, body] of [
      ['/v1/brands', BRAND],
      ['/v1/campaigns', campaign],
      [`/v1/campaigns/${draft}/submit`, {}],
      ['/v1/phone_numbers', { tenant_id, phone_number, campaign_id }],
    ] as const) {
      assertRefused(await harness.call('POST', path, { key, body }), 402, 'insufficient_balance');
      await assertNoEffect(path);
    }
  } finally {
    await harness.close();
  }
});

test('internal_error reveals nothing about its cause', async () => {
  const harness = await startHarness({ startWorkers: false });
  try {
    const { db } = harness.context;
    await db.query({ name: '', text: 'alter table tenants rename column name to secret_name' }, []);
    const reply = await harness.call('POST', '/v1/tenants', { body: { name: 'x' } });
    assertRefused(reply, 500, 'internal_error');
    assert.equal(reply.body.error.message, ERRORS.internal_error.message);
    assert.doesNotMatch(JSON.stringify(reply.body), /name|column|tenants|select|insert/);
  } finally {
    await harness.close();
  }
});

test('database_unavailable says when to retry', async () => {
  const database = await cloneDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const harness = await startHarness({ startWorkers: false, databaseUrl: proxy.url });
  try {
    // The key is cached, so only the operation needs the database.
    assert.equal((await harness.call('GET', '/v1/tenants')).status, 200);
    await proxy.cut();
    for (const key of [harness.account.test_key, harness.account.live_key]) {
      const reply = await harness.call('POST', '/v1/tenants', { key, body: { name: 'x' } });
      assertRefused(reply, 503, 'database_unavailable');
      assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
  } finally {
    await harness.close();
    await database.drop();
  }
});
