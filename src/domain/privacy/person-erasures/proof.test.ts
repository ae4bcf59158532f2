import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { deliveriesOf, type Json, listEvents, register } from '../../../../test/support/events.ts';
import { type Harness, useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import {
  completed,
  erase,
  filesWith,
  makeHistory,
  tablesWith,
  WORDS,
  writings,
} from '../../../../test/support/person-history.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';
import { startS3 } from '../../../../test/support/s3-server.ts';

const s3 = await startS3();
closeAfterTests(() => s3.stop());
const folder = await mkdtemp(join(tmpdir(), 'dialplane-proof-'));
const receiver = await useReceiver();
const openapi = JSON.parse(await readFile(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as Json;

/** Lists that require a filter are read with the tenant's filter. */
const NEEDED: Readonly<Record<string, string>> = { '/v1/usage': 'tenant_id', '/v1/balance': '' };

/** Returns the replies of all operations that take no id and only read. */
async function readLists(harness: Harness, tenantId: string): Promise<Map<string, string>> {
  const replies = new Map<string, string>();
  const paths = Object.entries<Json>(openapi.paths).filter(([path, { get }]) => get && !path.includes('{'));
  for (const [path, { get }] of paths) {
    const takes = (name: string) => get.parameters?.some((each: Json) => each.in === 'query' && each.name === name);
    const query = new URLSearchParams({
      ...(takes('limit') && { limit: '100' }),
      ...((takes('tenant_id') || NEEDED[path]) && { tenant_id: tenantId }),
      ...(takes('q') && { q: 'page' }),
    });
    const reply = await harness.call('GET', `${path}?${query}`);
    if (reply.status === 200) replies.set(path, JSON.stringify(reply.body));
  }
  return replies;
}

const WHERE = [
  { name: 'the blob folder', blobs: { kind: 'folder', folder } as const, root: folder },
  { name: 'the bucket', blobs: { kind: 's3', ...s3.settings } as const, root: s3.directory },
];

for (const { name, blobs, root } of WHERE) {
  test(`an erased person is in no table, list, log line or file of ${name}, but in the opt-out`, async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const harness = await useHarness({ startWorkers: false, blobs, log });
    const { db } = harness.context;
    const own = await makeLine(harness);
    const person = newPerson();
    const [echo, parked] = [
      await register(harness, { url: receiver.url }),
      await register(harness, { url: receiver.url }),
    ];
    receiver.answer(({ body }) => ({ body }));
    assert.equal(
      (
        await harness.call('PATCH', `/v1/webhook_endpoints/${parked.id}`, {
          body: { url: receiver.url, status: 'disabled' },
        })
      ).status,
      200,
    );
    const { callIds, keys } = await makeHistory(harness, own, person);
    await arrive(harness, person, own.number.phone_number, 'STOP');
    await harness.advance(5);
    const words = new RegExp(Object.values(WORDS).join('|'), 'i');
    const [inText] = await sql<Json>(db, `select id from messages where body like $1`, [`%${WORDS.inbound}%`]);
    const [event] = (await listEvents(harness, inText.id)) as [Json];
    // Before the erasure, the search finds the person.
    assert.match(JSON.stringify(await deliveriesOf(harness, echo.id)), words);
    assert.ok(
      Object.keys(await tablesWith(harness, words)).length > 5,
      Object.keys(await tablesWith(harness, words)).join(' '),
    );
    assert.notEqual((await filesWith(root, keys)).length, 0);
    const usage = async () => (await read(harness, `/usage?tenant_id=${own.tenantId}`)).data;
    const used = await usage();

    const reply = await erase(harness, own, person);
    assert.deepEqual([reply.status, reply.body.status], [202, 'pending']);
    await completed(harness, reply.body.id);

    assert.deepEqual(await tablesWith(harness, words), {});
    // The events of the opt-out contain the number, like the opt-out itself. One of them waits for the disabled
    // endpoint.
    const named = Object.entries(await tablesWith(harness, writings(person))).toSorted();
    assert.deepEqual(
      named.map(([table]) => table),
      ['event_sequences', 'events', 'lanes', 'opt_out_moments', 'opt_outs', 'waiting_deliveries'],
    );
    for (const [table, row] of named) {
      const its = table.startsWith('opt_out') ? person : `${own.tenantId}:${person}`;
      assert.doesNotMatch(row.replaceAll(its, ''), writings(person), table);
    }
    const inData = await sql<Json>(db, 'select type from events where data::text ~ $1', [writings(person).source]);
    assert.deepEqual(inData, []);
    assert.deepEqual(await filesWith(root, [...keys, words, writings(person)]), []);
    for (const key of keys) assert.equal(await harness.context.blobs.size(key), undefined);
    assert.ok(lines.length > 20, `${lines.length} lines of log`);
    assert.deepEqual(
      lines.filter((line) => words.test(line) || writings(person).test(line)),
      [],
    );
    const lists = await readLists(harness, own.tenantId);
    assert.ok(lists.size > 25, [...lists.keys()].join(' '));
    const optOut = `${own.tenantId}:${person}`;
    const showing = [...lists]
      .map(([path, body]) => ({ path, body: body.replaceAll(optOut, '') }))
      .flatMap(({ path, body }) => (words.test(body) || writings(person).test(body) ? [path] : []));
    assert.deepEqual(showing, ['/v1/opt_outs']);
    assert.deepEqual(await usage(), used);
    for (const id of callIds) {
      const call = await read(harness, `/calls/${id}`);
      assert.equal(call.direction === 'inbound' ? call.from : call.to, 'anonymous');
      assert.ok(call.duration_seconds >= 0 && call.ended_at);
    }
    // Deliveries that were parked, resends and replays carry the redacted event.
    const seen = receiver.received.length;
    const on = { url: receiver.url, status: 'active' };
    await harness.call('PATCH', `/v1/webhook_endpoints/${parked.id}`, { body: on });
    assert.equal((await harness.call('POST', `/v1/events/${event.id}/resend`, { body: {} })).status, 200);
    await harness.advance(10);
    const sent = receiver.received.slice(seen);
    assert.ok(sent.filter((each) => each.event.id === event.id).length >= 2, `${sent.length} deliveries`);
    assert.deepEqual(
      sent.filter(({ body }) => words.test(body)),
      [],
    );
    // Nobody is texted after the erasure.
    await harness.advance(90_000);
    assert.deepEqual(await outboxOf(harness, person), []);
  });
}
