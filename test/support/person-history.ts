/** All data that a tenant can have about a person, and where it is found. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { runLedgerDue } from '../../src/test-clock/run-due.ts';
import { callIn, playParty, ringing, route, voicemail } from './calls.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';
import { sql } from './jobs.ts';
import { arrive, read, trySend } from './messages.ts';
import type { Line } from './numbers.ts';
import { talk } from './recordings.ts';

/** Words that occur nowhere else, one for each place in a person's history. */
export const WORDS = {
  inbound: 'zebra crossing',
  outbound: 'quagmire',
  metadata: 'marmalade',
  spoken: 'platypus',
  voicemail: 'nightingale',
  speech: 'xylophone',
  prompt: 'juggernaut',
  caller: 'Bartholomew',
  scheduled: 'kaleidoscope',
  doubtful: 'hullabaloo',
  group: 'periwinkle',
  contact: 'Wolfeschlegel',
  note: 'thingamajig',
  tag: 'gobbledygook',
} as const;

export type History = {
  readonly callIds: readonly string[];
  /** The keys of the blobs. */
  readonly keys: readonly string[];
  readonly scheduledId: string;
};

/** Makes texts in both directions, a contact, a note, a tag, a recorded and transcribed call, and a voicemail. */
export async function makeHistory(harness: Harness, own: Line, person: string): Promise<History> {
  const { db, blobs } = harness.context;
  const { id: ours, phone_number: ourNumber } = own.number;
  const { id: pictured } = await arrive(harness, person, ourNumber, `Where is the ${WORDS.inbound}?`);
  await arrive(harness, person, ourNumber, `Bus 12. Stop. ${WORDS.doubtful}`);
  const body = { from: ours, to: person, body: `In the ${WORDS.outbound}.`, metadata: { note: WORDS.metadata } };
  const digits = person.slice(2);
  const key = `send (${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)} ${own.tenantId}`;
  for (const once of [`erase ${own.tenantId}`, key]) {
    assert.equal((await trySend(harness, body, { once })).status, 201);
  }
  const { now } = await read(harness, '/test/clock');
  const send_at = new Date(Date.parse(now) + 86_400_000).toISOString();
  const scheduled = await trySend(harness, { from: ours, to: person, body: WORDS.scheduled, send_at });
  assert.equal(scheduled.status, 201);
  const contact = { tenant_id: own.tenantId, name: `Dana ${WORDS.contact}`, phone_numbers: [person] };
  assert.equal((await harness.call('POST', '/v1/contacts', { body: contact })).status, 201);
  const note = { body: `Forgot the ${WORDS.note}.`, author: 'Ann' };
  const noted = await harness.call('POST', `/v1/conversations/${scheduled.body.conversation_id}/notes`, {
    body: note,
    headers: { 'idempotency-key': `note ${own.tenantId}` },
  });
  assert.equal(noted.status, 201, JSON.stringify(noted.body));
  const tagged = await harness.call('PATCH', `/v1/conversations/${scheduled.body.conversation_id}`, {
    body: { tags: [WORDS.tag], state: 'done' },
    headers: { 'idempotency-key': `tag ${own.tenantId}` },
  });
  assert.equal(tagged.status, 200, JSON.stringify(tagged.body));
  const spokenTo = await haveTalk(harness, own, person);
  const heard = await leaveVoicemail(harness, own, person);
  const rows = await sql<Json>(db, 'select blob_key from recordings where tenant_id = $1', [own.tenantId]);
  assert.equal(rows.length, 2);
  const picture = await keepPicture(harness, pictured);
  assert.ok((await blobs.size(picture)) !== undefined);
  return {
    callIds: [spokenTo, heard],
    keys: [...rows.map(({ blob_key }) => blob_key as string), picture],
    scheduledId: scheduled.body.id,
  };
}

async function haveTalk(harness: Harness, own: Line, to: string): Promise<string> {
  const { id } = await talk(harness, own, { to, record: true, transcribe: true });
  const act = async (verb: string, body: object) => {
    const reply = await harness.call('POST', `/v1/calls/${id}/${verb}`, { body });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
  };
  await act('speak', { text: `The ${WORDS.speech} is yours.` });
  await harness.advance(5);
  await act('gather', { prompt: `How many ${WORDS.prompt}s?`, max_digits: 1 });
  await playParty(harness, id, 'speech', { speaker: 'customer', text: `I lost my ${WORDS.spoken}.` });
  await harness.advance(30);
  const ended = await harness.call('POST', `/v1/calls/${id}/hangup`, { body: {} });
  assert.ok(ended.status < 300 || ended.body.error.code === 'call_not_active', JSON.stringify(ended.body));
  await harness.advance(30);
  assert.match(JSON.stringify(await read(harness, `/calls/${id}/transcript`)), new RegExp(WORDS.spoken));
  return id;
}

async function leaveVoicemail(harness: Harness, own: Line, from: string): Promise<string> {
  await route(harness, own, {
    open_behavior: ringing(['+15005550003'], { no_answer: voicemail, timeout_seconds: 20 }),
  });
  const { id } = await callIn(harness, own, { from, caller_name: WORDS.caller });
  await harness.advance(0);
  const body = { transcript: `A ${WORDS.voicemail} sings.` };
  const left = await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body });
  assert.equal(left.status, 200, JSON.stringify(left.body));
  await harness.advance(30);
  assert.equal((await read(harness, `/calls/${id}`)).outcome, 'voicemail');
  return id;
}

/** Gives an inbound text a file, as a live carrier does. */
async function keepPicture(harness: Harness, messageId: string): Promise<string> {
  const { db, blobs } = harness.context;
  const [{ ledger_id }] = await sql<Json>(db, 'select ledger_id from messages where id = $1', [messageId]);
  const key = `${ledger_id}/media/${messageId}`;
  await blobs.put(key, Buffer.from('a picture'), { contentType: 'image/png' });
  await sql(
    db,
    `insert into message_media (ledger_id, message_id, position, carrier_ref, blob_key, content_type, created_at)
     values ($1, $2, 0, 'one', $3, 'image/png', now())`,
    [ledger_id, messageId, key],
  );
  return key;
}

/** Returns the ways to write a number. It does not use the product's code. */
export function writings(person: string): RegExp {
  const [area, exchange, line] = [person.slice(2, 5), person.slice(5, 8), person.slice(8)];
  return new RegExp(`${area}\\W{0,3}${exchange}\\W{0,3}${line}`);
}

/**
 * Searches all columns of the whole database for a pattern. Returns the tables that contain it, with the first row of
 * each.
 */
export async function tablesWith(harness: Harness, pattern: RegExp): Promise<Record<string, string>> {
  const client = new pg.Client(harness.databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const found: Record<string, string> = {};
    for (const { table_name: name } of rows) {
      const values = [pattern.source];
      const hits = await client.query(`select t::text as row from "${name}" t where t::text ~ $1 limit 1`, values);
      if (hits.rows.length > 0) found[name] = hits.rows[0].row;
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Returns the files below a folder whose name or content has one of the needles. */
export async function filesWith(folder: string, needles: readonly (string | RegExp)[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const text = `${path}\n${await readFile(path, 'latin1')}`;
    if (needles.some((needle) => (typeof needle === 'string' ? text.includes(needle) : needle.test(text))))
      found.push(path);
  }
  return found;
}

export const erase = (harness: Harness, { tenantId }: Pick<Line, 'tenantId'>, person: string) =>
  harness.call('POST', '/v1/person_erasures', { body: { tenant_id: tenantId, external_number: person } });

/** Runs the jobs of the ledger and of the installation until the erasure is complete. */
export async function completed(harness: Harness, id: string, rounds = 200): Promise<Json> {
  for (let round = 0; round < rounds; round++) {
    await harness.advance(6);
    await runLedgerDue(harness.workers.ledgerWork, 0);
    const erasure = await read(harness, `/person_erasures/${id}`);
    if (erasure.status === 'completed') return erasure;
  }
  return assert.fail('the erasure is not completed');
}
