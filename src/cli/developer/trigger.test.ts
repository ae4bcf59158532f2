import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import openapi from '../../../openapi.json' with { type: 'json' };
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { freePort } from '../../../test/support/ports.ts';
import { skipWhile } from '../../../test/support/stepping-time.ts';
import { runCli } from '../run.ts';
import type { FeedEvent } from './event-feed.ts';
import type { Step } from './trigger/stage.ts';

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });

/** Event types that test mode cannot cause. */
const NOT_IN_TEST_MODE = ['balance.low'];
const TYPES = Object.keys(openapi.components.schemas.Event.discriminator.mapping);

/** More time than any command takes. */
const COMMAND_MS = 60_000;

/**
 * True while an open transaction hides events from readers in order. It may be one of another database of the server,
 * and lasts in real time. If the clock skipped meanwhile, the command's limit would be over.
 */
async function areEventsHidden(): Promise<boolean> {
  const text = 'select 1 from events where written_by >= pg_snapshot_xmin(pg_current_snapshot()) limit 1';
  return (await sql(harness.context.db, text)).length > 0;
}

async function trigger(words: readonly string[], key = harness.account.test_key) {
  const [out, err]: [string[], string[]] = [[], []];
  const given = ['trigger', ...words, '--url', harness.url, '--key', key];
  const running = runCli(given, { kinds: [], out: (text) => out.push(text), err: (text) => err.push(text) });
  // A call takes some seconds, because audio is played and the command waits for events.
  const code = await skipWhile(running, COMMAND_MS, { hasCome: areEventsHidden });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

type Triggered = { readonly event: FeedEvent; readonly steps: readonly Step[] };

async function triggered(...words: string[]): Promise<Triggered> {
  const { code, out, err } = await trigger([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

// Makes the tenant and its number. The other tests use them.
const first = await triggered('message.received');

describe('each event of the API happens', () => {
  for (const type of TYPES.filter((each) => !NOT_IN_TEST_MODE.includes(each))) {
    it(type, async () => {
      const { event, steps } = await triggered(type);
      const { body: stored } = await harness.call('GET', `/v1/events/${event.id}`);
      assert.deepEqual([stored.type, event.type], [type, type]);
      assert.ok(steps.length > 0);
    });
  }
});

test('commands that buy a number at the same time do not take it from each other', async () => {
  const done = await Promise.all([1, 2, 3, 4].map(() => triggered('number.status_changed')));
  assert.equal(new Set(done.map(({ event }) => event.resource_id)).size, 4);
});

test('an event that test mode cannot cause says why, and what to do', async () => {
  for (const type of NOT_IN_TEST_MODE) {
    const { code, err } = await trigger([type]);
    assert.equal(code, 1);
    assert.match(err, /cannot happen in test mode.*sends a sample/);
  }
});

test('the events happen for one tenant and one number, which are made once', async () => {
  const again = await triggered('message.received');
  assert.equal(again.event.tenant_id, first.event.tenant_id);
  assert.deepEqual(
    first.steps.map(({ request }) => request),
    ['POST /v1/tenants', 'POST /v1/phone_numbers', 'POST /v1/test/inbound_messages'],
  );
  assert.equal(again.steps.length, 1);
});

test('--tenant uses a tenant and its number, and --set changes the request', async () => {
  const { body: tenant } = await harness.call('POST', '/v1/tenants', { body: { name: 'Desert Paws' } });
  const words = ['message.received', '--tenant', tenant.id, '--set', 'body=12', '--set', 'from=+16025550199'];
  const { event } = await triggered(...words);
  assert.equal(event.tenant_id, tenant.id);
  assert.deepEqual([event.data['body'], event.data['from']], ['12', '+16025550199']);
  const { code, err } = await trigger(['message.received', '--set', 'colour=red']);
  assert.equal(code, 1);
  assert.match(err, /colour/);
});

test('a person can opt out and in as often as one likes', async () => {
  for (const type of ['opt_out.removed', 'opt_out.removed', 'opt_out.created', 'opt_out.created']) {
    const { event } = await triggered(type, '--set', 'from=+16025550155');
    assert.deepEqual([event.type, event.data['external_number']], [type, '+16025550155']);
  }
});

test('each step is shown, and the event at the end', async () => {
  const { code, out } = await trigger(['message.received']);
  assert.equal(code, 0);
  const lines = out.split('\n');
  assert.match(lines[0] ?? '', /^POST \/v1\/test\/inbound_messages {2}\{"from":.*\} {2}201 msg_/);
  assert.match(lines[1] ?? '', /^message\.received {2}evt_\w+ {2}msg_/);
});

test('--list has a line for each event', async () => {
  const { out } = await trigger(['--list']);
  assert.deepEqual(
    out
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]),
    TYPES,
  );
});

test('a live key and a wrong command line cause nothing', async () => {
  const live = await trigger(['message.delivered'], harness.account.live_key);
  assert.equal(live.code, 1);
  assert.match(live.err, /answered 403/);
  const { body: tenants } = await harness.call('GET', '/v1/tenants', { key: harness.account.live_key });
  assert.deepEqual(tenants.data, []);
  for (const [words, said] of [
    [[], /the event is missing/],
    [['message.recieved'], /there is no event message\.recieved\. Did you mean message\.received\? --list/],
    [['mesage.received'], /there is no event mesage\.received\. Did you mean message\.received\? --list/],
    [['weather'], /there is no event weather\. --list lists all/],
    [['message.received', '--set', 'body'], /--set takes/],
  ] as const) {
    const { code, err } = await trigger(words);
    assert.equal(code, 2, words.join(' '));
    assert.match(err, said);
  }
});
