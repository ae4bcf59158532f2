import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { startHttpTarget } from '../../../../test/support/http-target.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { buyNumber, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { powerAt } from '../../../../test/support/tone-power.ts';
import { toneFile } from '../../../../test/support/wav-file.ts';
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { createHoldAudioReader, findRouting } from '../index.ts';
import { FILE_BYTES_MAX } from './rules.ts';

const { harness, tenantId } = await useTenant();
const { db, blobs } = harness.context;
const ledger = (await findLedger(db, await testLedger(harness))) as Ledger;
const read = createHoldAudioReader(harness.context);

const MP3 = await readFile(new URL('../../../../test/support/tone.mp3', import.meta.url));
const WAV = toneFile(440, 25, { bits: 16 });

/** The server's reply at each path. */
const replies = new Map<string, (response: ServerResponse) => void>();
const target = await startHttpTarget((request, response) => {
  const reply = replies.get(request.url as string);
  if (reply === undefined) response.writeHead(404).end();
  else reply(response);
});
closeAfterTests(() => target.close());
const requestsOf = (path: string) => target.requests.filter((request) => request.path === path).length;

let served = 0;
/** Returns a new path with this reply, and its address. */
function serve(reply: (response: ServerResponse) => void): { path: string; url: string } {
  const path = `/${served++}.wav`;
  replies.set(path, reply);
  return { path, url: `${target.origin}${path}` };
}
const serveFile = (file: Buffer) => serve((response) => response.end(file));

const RING = { type: 'ring', targets: ['+16025550143'] };
const body = (hold_audio_url: unknown, tenant_id = tenantId) => ({
  tenant_id,
  name: 'Desk',
  open_behavior: RING,
  hold_audio_url,
});
const get = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/routing_configs/${id}`)).body;
const put = (id: string, url: unknown) => harness.call('PUT', `/v1/routing_configs/${id}`, { body: body(url) });

async function make(url: unknown, tenant_id = tenantId): Promise<Json> {
  const reply = await harness.call('POST', '/v1/routing_configs', { body: body(url, tenant_id) });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function reach(id: string, status: string): Promise<Json> {
  await until(`the hold audio of ${id} is ${status}`, async () => (await get(id)).hold_audio_status === status);
  return get(id);
}

/** Returns the audio that customers of a number hear on hold. */
const findHoldAudio = async (numberId: string): Promise<string | null> =>
  (await findRouting(db, ledger, numberId))?.holdAudioRef ?? null;

/** Attaches the config to a new number, and returns the audio that its callers hear on hold. */
async function heardOn(configId: string, tenant = tenantId): Promise<string | null> {
  const number = await buyNumber(harness, tenant);
  await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: configId } });
  const heard = await findHoldAudio(number.id);
  await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: null } });
  return heard;
}

const isGone = (key: string) => until(`${key} is removed`, async () => (await blobs.size(key)) === undefined);
const rowsOf = (url: string) =>
  sql(db, 'select 1 from hold_audio where ledger_id = $1 and url = $2', [ledger.ledgerId, url]);

test('a config without hold audio shows none, and its callers hear the built-in pattern', async () => {
  const { id, hold_audio_url, hold_audio_status, hold_audio_error } = await make(undefined);
  assert.deepEqual([hold_audio_url, hold_audio_status, hold_audio_error], [null, null, null]);
  assert.equal(await heardOn(id), null);
  assert.equal(await findHoldAudio('num_none'), null);
});

test('hold audio is fetched after its config is saved, and read by the reference of its numbers', async () => {
  const { url } = serveFile(WAV);
  const made = await make(url);
  assert.deepEqual([made.hold_audio_url, made.hold_audio_status], [url, 'pending']);
  const ready = await reach(made.id, 'ready');
  assert.equal(ready.hold_audio_error, null);
  const ref = (await heardOn(made.id)) as string;
  const mulaw = (await read(ref)) as Uint8Array;
  assert.equal(mulaw.length, 25 * 8_000);
  assert.ok(powerAt(decodeMulaw(mulaw), 440) > 1_000_000);
  assert.equal(await read(ref), mulaw, 'calls share it');
  assert.equal(await read(`${ref}1`), undefined);
});

test('an MP3 file is taken too, and redirects are followed', async () => {
  const { path } = serve((response) => response.end(MP3));
  const { url } = serve((response) => response.writeHead(302, { Location: path }).end());
  const { id } = await make(url);
  await reach(id, 'ready');
});

test('a config with hold audio, as it is returned, is a valid request', async () => {
  const { url, path } = serveFile(WAV);
  const made = await make(url);
  const { id, object, created_at, ...fields } = await reach(made.id, 'ready');
  const again = await harness.call('PUT', `/v1/routing_configs/${id}`, { body: fields });
  assert.deepEqual([again.status, again.body], [200, { id, object, created_at, ...fields }]);
  assert.equal(requestsOf(path), 1);
});

test('the same address is fetched once in a ledger, also while it is being fetched', async () => {
  let respond: () => unknown = () => undefined;
  const { url, path } = serve((response) => {
    respond = () => response.end(WAV);
  });
  const first = await make(url);
  await until('the file is asked for', async () => requestsOf(path) === 1);
  const second = await make(url);
  assert.equal(second.hold_audio_status, 'pending');
  respond();
  await reach(first.id, 'ready');
  const third = await make(url);
  assert.deepEqual([(await get(second.id)).hold_audio_status, third.hold_audio_status], ['ready', 'ready']);
  assert.equal(await heardOn(first.id), await heardOn(third.id));
  assert.equal(requestsOf(path), 1);
});

test('a file that is no audio, too large, absent or behind a forbidden address fails with the reason', async () => {
  const cases = [
    [serveFile(Buffer.from('<html></html>')), 'The file is neither WAV nor MP3.'],
    [serveFile(Buffer.concat([WAV, Buffer.alloc(FILE_BYTES_MAX)])), 'The file is larger than 10 MB.'],
    [serve((response) => response.writeHead(404).end()), 'The server answered with status 404.'],
    [
      serve((response) => response.writeHead(302, { Location: 'https://10.0.0.1/' }).end()),
      'The host of the URL must be reachable on the public internet.',
    ],
    [
      serve((response) => response.writeHead(307, { Location: `/${served - 1}.wav` }).end()),
      'The server redirected more than 3 times.',
    ],
  ] as const;
  for (const [{ url }, problem] of cases) {
    const { id } = await make(url);
    assert.equal((await reach(id, 'failed')).hold_audio_error, problem);
    assert.equal(await heardOn(id), null);
  }
});

test('a server that does not answer is asked again, and the audio fails when it never does', async () => {
  const { url, path } = serve((response) => response.writeHead(503).end());
  const { id } = await make(url);
  await until('the first attempt', async () => requestsOf(path) === 1);
  for (const [attempt, seconds] of [6, 31, 121, 601].entries()) {
    await harness.advance(seconds);
    await until(`attempt ${attempt + 2}`, async () => requestsOf(path) === attempt + 2);
    assert.equal((await get(id)).hold_audio_status, 'pending');
  }
  await harness.advance(1801);
  assert.equal((await reach(id, 'failed')).hold_audio_error, 'The server answered with status 503.');
  assert.equal(requestsOf(path), 6);
  replies.set(path, (response) => response.end(WAV));
  const saved = (await put(id, url)).body;
  assert.deepEqual([saved.hold_audio_status, saved.hold_audio_error], ['pending', null]);
  await reach(id, 'ready');
});

test('hold audio is deleted with the last config that names it', async () => {
  const { url } = serveFile(WAV);
  const [first, second] = [await make(url), await make(url)];
  await reach(first.id, 'ready');
  const ref = (await heardOn(first.id)) as string;
  assert.equal((await put(first.id, null)).body.hold_audio_status, null);
  assert.equal((await rowsOf(url)).length, 1);
  assert.equal((await harness.call('DELETE', `/v1/routing_configs/${second.id}`)).status, 204);
  assert.equal((await rowsOf(url)).length, 0);
  await isGone(ref);
  assert.equal(await createHoldAudioReader(harness.context)(ref), undefined);
});

test('a config that is deleted while its audio is fetched leaves none behind', async () => {
  let respond: () => unknown = () => undefined;
  const { url, path } = serve((response) => {
    respond = () => response.end(WAV);
  });
  const { id } = await make(url);
  await until('the file is asked for', async () => requestsOf(path) === 1);
  await harness.call('DELETE', `/v1/routing_configs/${id}`);
  respond();
  const jobs = () => sql(db, `select 1 from jobs where kind = 'routing_config.fetch_hold_audio'`);
  await until('the job has ended', async () => (await jobs()).length === 0);
  assert.equal((await rowsOf(url)).length, 0);
});

test('configs that name an address while others stop naming it leave the audio as long as one names it', async () => {
  const { url } = serveFile(WAV);
  const other = serveFile(WAV);
  for (let round = 0; round < 10; round++) {
    const [first, second] = [await make(url), await make(other.url)];
    const changes = [
      put(first.id, other.url),
      put(second.id, url),
      harness.call('POST', '/v1/routing_configs', { body: body(url) }),
    ];
    const changed = await Promise.all(changes);
    assert.deepEqual(
      changed.map(({ status }) => status),
      [200, 200, 201],
    );
    const ids = changed.map(({ body: { id } }) => id);
    const deleted = await Promise.all([
      ...ids.map((id) => harness.call('DELETE', `/v1/routing_configs/${id}`)),
      put(ids[0] as string, url),
    ]);
    assert.ok(
      deleted.every(({ status }) => [200, 204, 404].includes(status)),
      JSON.stringify(deleted),
    );
  }
  const named = await sql<{ unused: string }>(
    db,
    `select count(*)::int as unused from hold_audio h where url = any($1) and not exists
       (select 1 from routing_configs r where r.ledger_id = h.ledger_id and r.hold_audio_id = h.id)`,
    [[url, other.url]],
  );
  assert.deepEqual(named, [{ unused: 0 }]);
});

test('hold audio is deleted with its tenant', async () => {
  const { url } = serveFile(WAV);
  const tenant = await makeTenant(harness);
  const { id } = await make(url, tenant);
  await reach(id, 'ready');
  const ref = (await heardOn(id, tenant)) as string;
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenant}`)).status, 204);
  assert.equal((await rowsOf(url)).length, 0);
  await isGone(ref);
});

test('an address that may not be called is refused', async () => {
  for (const url of ['http://example.com/a.wav', 'https://10.0.0.1/a.wav', 'ftp://example.com/', 'hold.wav', 5, '']) {
    const reply = await harness.call('POST', '/v1/routing_configs', { body: body(url) });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', 'hold_audio_url'], String(url));
  }
  const key = harness.account.live_key;
  const live = { key, body: body(`${target.origin}/a.wav`, await makeTenant(harness, key)) };
  assert.equal(refusal(await harness.call('POST', '/v1/routing_configs', live))[2], 'hold_audio_url');
});

test('a reset removes hold audio', async () => {
  const { url } = serveFile(WAV);
  const { id } = await make(url);
  await reach(id, 'ready');
  const ref = (await heardOn(id)) as string;
  assert.equal((await harness.call('POST', '/v1/test/reset')).status, 200);
  await isGone(ref);
});

test('sixteen files of one account from a slow host delay neither the file of another account nor other work on audio', async () => {
  const held: ServerResponse[] = [];
  let isHeld = true;
  const slow = Array.from({ length: 16 }, () =>
    serve((response) => (isHeld ? held.push(response) : response.end(MP3))),
  );
  const tenant = await makeTenant(harness);
  const many: Json[] = [];
  for (const { url } of slow) many.push(await make(url, tenant));
  await until('two of them are being fetched', async () => held.length === 2);
  const key = (await harness.secondAccount()).test_key;
  const owner = (await harness.call('POST', '/v1/tenants', { key, body: { name: 'Other' } })).body.id;
  const made = await harness.call('POST', '/v1/routing_configs', { key, body: body(serveFile(WAV).url, owner) });
  await until('the hold audio of the other account is ready', async () => {
    const { body: other } = await harness.call('GET', `/v1/routing_configs/${made.body.id}`, { key });
    return other.hold_audio_status === 'ready';
  });
  assert.equal((await harness.call('DELETE', `/v1/routing_configs/${made.body.id}`, { key })).status, 204);
  await until('its file is removed by a job of the same queue', async () => {
    const waiting = await sql(db, "select 1 from jobs where kind = 'drop-blobs' and due_at <= clock_timestamp()");
    return waiting.length === 0;
  });
  assert.equal(held.length, 2);
  isHeld = false;
  for (const response of held) response.end(MP3);
  for (const { id } of many) await reach(id, 'ready');
});
