import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fastify } from 'fastify';
import { startHarness, useHarness } from '../../../test/support/harness.ts';
import { EVENT_TYPES } from '../../domain/events/index.ts';
import { ERRORS } from '../../lib/errors/errors.ts';
import { html } from '../../lib/http/html.ts';
import type { Api } from '../edge/types.ts';
import { createProbes, type ProbeOptions } from './probes.ts';

const harness = await useHarness({ startWorkers: false });

const open = (path: string) => harness.call('GET', path, { key: null });

/** Serves only the probes, on the harness's database. */
async function probe(path: string, options: Partial<ProbeOptions> = {}) {
  const app = fastify() as unknown as Api;
  createProbes({ phaseProblem: () => undefined, metricsToken: null, ...options })(app, harness.context);
  const reply = await app.inject({ method: 'GET', url: path });
  await app.close();
  return reply;
}

test('every error code has a page with its meaning and what to do', async () => {
  for (const [code, { status, remedy }] of Object.entries(ERRORS)) {
    const reply = await open(`/docs/errors/${code}`);
    assert.equal(reply.status, 200);
    assert.ok(reply.body.includes(`<dd>${status}</dd>`), code);
    assert.ok(reply.body.includes(html`${remedy}`.markup), code);
  }
});

test('the docs_url of an error reply opens', async () => {
  const refused = await open('/v1/tenants');
  const { pathname } = new URL(refused.body.error.docs_url);
  assert.equal((await open(pathname)).status, 200);
});

for (const code of ['no_such_code', 'constructor', '%3Cscript%3Ealert(1)%3C%2Fscript%3E']) {
  test(`the page of the unknown code ${code} is a 404 that is not markup of the caller's`, async () => {
    const reply = await open(`/docs/errors/${code}`);
    assert.equal(reply.status, 404);
    assert.ok(!reply.body.includes('<script>'));
  });
}

test('the page of operations lists every operation, and the events page every type', async () => {
  const { body: operations } = await open('/docs/operations');
  const { body: document } = await open('/v1/openapi.json');
  assert.ok(Object.keys(document.paths).length > 5);
  for (const path of Object.keys(document.paths)) assert.ok(operations.includes(`<code>${path}</code>`), path);
  const { body: events } = await open('/docs/events');
  for (const type of EVENT_TYPES) assert.ok(events.includes(`<code>${type}</code>`), type);
});

test('the OpenAPI document needs no key, is 3.1, and omits the pages', async () => {
  const { status, body } = await open('/v1/openapi.json');
  assert.equal(status, 200);
  assert.equal(body.openapi, '3.1.0');
  assert.deepEqual(
    Object.keys(body.paths).filter((path) => !path.startsWith('/v1/')),
    [],
  );
});

test('pages load and run only what this server serves, and cannot be framed', async () => {
  for (const path of ['/docs', '/docs/events', '/docs/errors', '/docs/errors/internal_error']) {
    const { headers, body } = await open(path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes('unsafe'));
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(body, /<script>|<img| style=| on\w+=|(src|href)="(https?:)?\/\//);
  }
});

test('text in a page is escaped', () => {
  const hostile = `"><img src=x onerror='a&b'>`;
  assert.equal(html`<p title="${hostile}">${[html`<b>${1}</b>`]}</p>`.markup.includes('<img'), false);
});

test('a process with its database is healthy and ready', async () => {
  assert.equal((await probe('/healthz')).statusCode, 200);
  assert.deepEqual((await probe('/readyz')).json(), { status: 'ready' });
});

test('a process that shuts down is healthy but not ready', async () => {
  const stopping = { phaseProblem: () => 'shutting down' };
  assert.deepEqual((await probe('/readyz', stopping)).json(), { status: 'unavailable', problem: 'shutting down' });
  assert.equal((await probe('/healthz', stopping)).statusCode, 200);
});

test('a process whose database is away, behind or of other migrations is not ready', async () => {
  const own = await startHarness({ startWorkers: false });
  const app = fastify() as unknown as Api;
  createProbes({ phaseProblem: () => undefined, metricsToken: null })(app, own.context);
  const ready = async () => (await app.inject({ method: 'GET', url: '/readyz' })).json();
  const text = 'delete from schema_migrations where number = 1';
  await own.context.db.query({ name: 'unmigrate', text }, []);
  assert.match((await ready()).problem, /0001_accounts/);
  const other = `update schema_migrations set name = '0002_other' where number = 2`;
  await own.context.db.query({ name: 'migrate_otherwise', text: other }, []);
  assert.match((await ready()).problem, /0002_other.* this version's is 0002_queue/);
  await own.close();
  assert.match((await ready()).problem, /cannot be reached/);
  await app.close();
});
