import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { eventsOf, useLine } from '../../../../test/support/numbers.ts';
import type { FetchedMedia, MessagingPort } from '../../../carriers/ports/messaging.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';
import { applyMessagingEvents } from '../carrier-events.ts';

const { harness, number } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;
const ledger = await ledgerOf(harness, 'test');

const PICTURE = Buffer.from('a picture');
const jpeg = (bytes: Uint8Array = PICTURE): FetchedMedia => ({ bytes, contentType: 'image/jpeg' });

let texts = 0;

/** Lets a text with files arrive, as a carrier reports it. Returns the message. */
async function arrive({ refs = ['ref-0'], mediaUrls = [] as string[], type = 'image/jpeg' } = {}): Promise<Json> {
  const carrierMessageId = `media-${texts++}`;
  const media = refs.map((ref) => ({ ref, contentType: type }));
  const from = newPerson();
  const event = { type: 'message.received', carrierMessageId, from, to: number.phone_number, body: '' } as const;
  for (const _ of ['once', 'again']) {
    await db.transaction((tx) => applyMessagingEvents(tx, ledger, [{ ...event, mediaUrls, media }]));
  }
  const [message] = (await read(harness, `/messages?from=${encodeURIComponent(from)}`)).data;
  return message;
}

/** Runs the jobs that are due while the carrier answers with `fetchMedia`. */
function fetchWith(fetchMedia: NonNullable<MessagingPort['fetchMedia']> | undefined, seconds = 0): Promise<void> {
  return withPort(
    harness,
    'messaging',
    (real) => ({ ...real, ...(fetchMedia && { fetchMedia }) }),
    () => harness.advance(seconds),
  );
}

const mediaOf = async (id: string): Promise<Json[]> => (await read(harness, `/messages/${id}`)).media;
const pathOf = (id: string, position = 0) => `/v1/messages/${id}/media/${position}`;
const jobsLeft = () => sql(db, `select 1 from jobs where kind = 'message.keep_media'`);

/** Opens the link without a key. */
async function open(link: string): Promise<Response> {
  const { pathname, search } = new URL(link);
  return fetch(`${harness.url}${pathname}${search}`);
}

test('a file of an inbound text is fetched from the carrier and served by the API, by a link or with a key', async () => {
  const { id } = await arrive();
  const asked: string[] = [];
  await fetchWith(async (_, ref) => {
    asked.push(ref);
    return jpeg();
  });
  assert.deepEqual(asked, ['ref-0']);
  const [file] = await mediaOf(id);
  assert.equal(file.content_type, 'image/jpeg');
  assert.ok(file.url.startsWith(`${harness.context.settings.publicUrl}${pathOf(id)}?expires=`), file.url);
  const reply = await open(file.url);
  assert.equal(reply.status, 200);
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), PICTURE);
  assert.deepEqual(
    ['content-type', 'content-disposition', 'x-content-type-options'].map((name) => reply.headers.get(name)),
    ['image/jpeg', `attachment; filename="${id}-0.jpg"`, 'nosniff'],
  );
  assert.equal((await harness.call('GET', pathOf(id))).status, 200);
  assert.equal((await open(file.url.replace('/media/0', '/media/1'))).status, 401);
  assert.deepEqual(await jobsLeft(), []);
});

test('lists and timelines have links too; the event has the path', async () => {
  const { id, conversation_id, media } = await arrive();
  const { data } = await read(harness, `/conversations/${conversation_id}/timeline`);
  for (const [file] of [media, data[0].media]) assert.match(file.url, /\?expires=\d+&signature=/);
  const [event] = (await eventsOf(harness, id)) as Json[];
  assert.deepEqual(event.data.media, [{ url: pathOf(id), content_type: 'image/jpeg' }]);
});

test('public addresses stay as they are, after the files of the carrier', async () => {
  const { id } = await arrive({ refs: ['a', 'b'], mediaUrls: ['https://example.com/c.png'] });
  await fetchWith(async (_, ref) => jpeg(Buffer.from(ref)));
  const [a, b, c] = await mediaOf(id);
  assert.deepEqual(await Promise.all([a, b].map(async ({ url }: Json) => (await open(url)).text())), ['a', 'b']);
  assert.deepEqual(c, { url: 'https://example.com/c.png', content_type: null });
});

test('a file that is yet to be fetched is not found, and the reply says when to retry', async () => {
  const { id } = await arrive();
  const reply = await harness.call('GET', pathOf(id));
  assert.deepEqual([...refusal(reply).slice(0, 2), reply.headers.get('retry-after')], [404, 'media_not_found', '5']);
  let attempts = 0;
  await fetchWith(async () => {
    if (attempts++ === 0) throw new Error('the carrier does not answer');
    return jpeg();
  }, 600);
  assert.equal(attempts, 2);
  assert.equal((await harness.call('GET', pathOf(id))).status, 200);
  assert.equal((await harness.call('GET', pathOf(id, 7))).body.error.code, 'media_not_found');
});

test('a file that the carrier does not have, or that is too large, is not kept', async () => {
  const large = Buffer.alloc(10 * 1024 * 1024 + 1);
  for (const answer of [async () => undefined, async () => jpeg(large), undefined]) {
    const { id } = await arrive();
    await fetchWith(answer);
    assert.equal((await harness.call('GET', pathOf(id))).body.error.code, 'media_not_found');
    assert.deepEqual(await jobsLeft(), []);
  }
});

test('a file that a browser could run is served without a type', async () => {
  for (const contentType of ['text/html', 'image/svg+xml', 'application/xhtml+xml', null]) {
    const { id } = await arrive({ type: 'text/html' });
    await fetchWith(async () => ({ bytes: PICTURE, contentType }));
    const { headers } = await harness.call('GET', pathOf(id));
    assert.equal(headers.get('content-type'), 'application/octet-stream', String(contentType));
  }
});

test('a content type is compared without case and parameters, and names the extension of the download', async () => {
  for (const [contentType, served, extension] of [
    ['IMAGE/JPEG', 'image/jpeg', 'jpg'],
    ['image/png; charset=binary', 'image/png', 'png'],
    ['Video/3GPP;codecs="mp4v"', 'video/3gpp', '3gp'],
    ['text/x-vCard', 'text/vcard', 'vcf'],
    ['IMAGE/SVG+XML', 'application/octet-stream', 'bin'],
    ['Text/HTML; charset=utf-8', 'application/octet-stream', 'bin'],
  ] as const) {
    const { id } = await arrive({ type: contentType });
    await fetchWith(async () => ({ bytes: PICTURE, contentType }));
    const { headers } = await harness.call('GET', pathOf(id));
    assert.equal(headers.get('content-type'), served, contentType);
    assert.equal(headers.get('content-disposition'), `attachment; filename="${id}-0.${extension}"`, contentType);
  }
});

test('the content type of a file in a message is in lower case, without parameters', async () => {
  const { media } = await arrive({ type: 'IMAGE/JPEG; name="Photo.JPG"' });
  assert.equal(media[0].content_type, 'image/jpeg');
});

test('a reset removes the files', async () => {
  const { id } = await arrive();
  await fetchWith(async () => jpeg());
  const [row] = await sql<{ blob_key: string }>(db, 'select blob_key from message_media where message_id = $1', [id]);
  const key = row?.blob_key ?? assert.fail('the file is not kept');
  assert.equal(await blobs.size(key), PICTURE.length);
  assert.equal((await harness.call('POST', '/v1/test/reset')).status, 200);
  await runLedgerDue(harness.workers.ledgerWork, 0);
  assert.equal(await blobs.size(key), undefined);
  assert.deepEqual(await sql(db, 'select 1 from message_media where ledger_id = $1', [await testLedger(harness)]), []);
});
