/** The rights of each role of the console, on every operation of both documents. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Document, Operation } from '../../src/http/openapi/types.ts';
import { type Browser, signIn, signInUser } from '../support/console.ts';
import type { Json } from '../support/events.ts';
import { type Reply, useHarness } from '../support/harness.ts';
import { keyedRoutes } from './document.ts';
import { assertAll } from './requests.ts';

const harness = await useHarness({ startWorkers: false, injects: true });
const operator = await signIn(harness);
const { id: accountId } = harness.account;

async function enter(role: string): Promise<Browser> {
  const account_id = role === 'operator' ? null : accountId;
  const { status, body } = await operator.call('POST', '/users', {
    body: { email: `${role}@example.com`, role, account_id },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return signInUser(harness, operator, body.id);
}

const browsers = { operator: await enter('operator'), admin: await enter('admin') };
const support = await enter('support');
const viewer = await enter('viewer');

/** Requests that change nothing, or mint a token that only reads. */
const ASKS = [
  'POST /v1/messages/check',
  'POST /v1/calls/check',
  'POST /v1/campaigns/check',
  'POST /v1/port_ins/check',
  'POST /v1/routing_configs/{routing_config_id}/evaluate',
  'POST /v1/realtime/tokens',
];

/** The things that `support` may change: conversations, notes, contacts, texts and calls. */
const SERVES = /^\w+ \/v1\/(conversations|contacts|messages|calls)(\/|$)/;

const knock = (browser: Browser, method: string, path: string) =>
  browser.call(method, path.replaceAll(/\{\w+\}/g, 'none'), method === 'GET' ? {} : { body: {} });

const inLedger = (path: string) => `/ledgers/${accountId}/test${path}`;

function assertCode({ status, body }: Reply, code: string | null): void {
  const found = (body as Json)?.error?.code;
  if (code !== null) assert.deepEqual([status, found], [403, code], JSON.stringify(body));
  else assert.notEqual(found, 'key_not_permitted', JSON.stringify(body));
}

test('a viewer reads everything of the account, and changes nothing', () =>
  assertAll(
    keyedRoutes.map(({ name, method, path }) => ({
      what: name,
      run: async () => {
        const mayUse = method === 'GET' || ASKS.includes(name);
        assertCode(await knock(viewer, method, inLedger(path)), mayUse ? null : 'key_not_permitted');
      },
    })),
  ));

test('support reads everything, and changes conversations, contacts, texts and calls', () =>
  assertAll(
    keyedRoutes.map(({ name, method, path }) => ({
      what: name,
      run: async () => {
        const mayUse = method === 'GET' || ASKS.includes(name) || SERVES.test(name);
        assertCode(await knock(support, method, inLedger(path)), mayUse ? null : 'key_not_permitted');
      },
    })),
  ));

test('an admin and an operator are refused no operation of the account for their role', () =>
  assertAll(
    keyedRoutes
      // These operations act without a body.
      .filter(({ method, path }) => method === 'GET' || path.includes('{'))
      .flatMap(({ name, method, path }) =>
        Object.entries(browsers).map(([role, browser]) => ({
          what: `${name} as ${role}`,
          run: async () => assertCode(await knock(browser, method, inLedger(path)), null),
        })),
      ),
  ));

const { paths } = JSON.parse(readFileSync(new URL('../../openapi-operator.json', import.meta.url), 'utf8')) as Document;
const consoleRoutes = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => {
    const isOpen = (operation as Operation).security?.length === 0 || path === '/console/api/session';
    const needs = (operation as Operation)['x-session-role'];
    return isOpen ? [] : [{ method: method.toUpperCase(), path: path.slice('/console/api'.length), needs }];
  }),
);

test("the console's own operations are refused by role, as their document says", () =>
  assertAll(
    consoleRoutes.flatMap(({ method, path, needs }) =>
      Object.entries({ ...browsers, support, viewer }).map(([role, browser]) => ({
        what: `${method} ${path} as ${role}`,
        run: async () => {
          const lacksOperator = needs === 'operator' && role !== 'operator';
          const lacksAdmin = needs === 'admin' && (role === 'support' || role === 'viewer');
          const code = lacksOperator ? 'operator_required' : lacksAdmin ? 'key_not_permitted' : null;
          assertCode(await knock(browser, method, path), code);
        },
      })),
    ),
  ));
