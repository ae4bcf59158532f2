import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { ledgerOf } from '../../../test/support/money.ts';
import type { Outcome } from '../ports/outcome.ts';
import { openBook } from './book.ts';
import { listOpenRequests, settleByHand, sweepRequests } from './queries.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
const ledger = await ledgerOf(harness, 'live');
const connection = await addConnection(harness.context, { name: 'booked', capabilities: [] });
const book = openBook(db, connection);

type Sent = { carrierRef: string };
let refs = 0;
const newRequest = () => ({ ledger, operation: 'send', ref: `msg_${refs++}` });

/** Gives the answers to requests in turn, and remembers the names of the requests. */
function carrier(...answers: Outcome<Sent, 'spam_blocked'>[]) {
  const names: string[] = [];
  return {
    names,
    send: async (name: string) => {
      names.push(name);
      return answers.shift() ?? assert.fail('asked too often');
    },
  };
}

const ACCEPTED = { outcome: 'accepted', carrierRef: 'c-1' } as const;
const UNKNOWN = { outcome: 'unknown' } as const;
const UNAVAILABLE = { outcome: 'unavailable', retryAfterMs: 5 } as const;
const REJECTED = { outcome: 'rejected', reason: 'spam_blocked' } as const;

test('an accepted request is sent once, and its answer is repeated from the book', async () => {
  const request = newRequest();
  const { names, send } = carrier(ACCEPTED);
  assert.deepEqual(await book.ask(request, send), ACCEPTED);
  assert.deepEqual(await book.ask(request, send), ACCEPTED);
  assert.equal(names.length, 1);
  assert.deepEqual(await book.find(request), { found: 'accepted', carrierRef: 'c-1' });
});

test('a request that was refused is not sent again', async () => {
  const request = newRequest();
  const { send } = carrier(REJECTED);
  assert.deepEqual(await book.ask(request, send), REJECTED);
  assert.deepEqual(await book.ask(request, send), REJECTED);
});

test('a request that the carrier certainly does not have is sent again, with the same name', async () => {
  const request = newRequest();
  const { names, send } = carrier(UNAVAILABLE, ACCEPTED);
  assert.deepEqual(await book.ask(request, send), UNAVAILABLE);
  assert.deepEqual(await book.find(request), { found: 'absent' });
  assert.deepEqual(await book.ask(request, send), ACCEPTED);
  assert.equal(new Set(names).size, 1);
});

test('a request whose answer is lost is never sent again, until an operator records that the carrier does not have it', async () => {
  const request = newRequest();
  const { names, send } = carrier(UNKNOWN, ACCEPTED);
  assert.deepEqual(await book.ask(request, send), UNKNOWN);
  assert.deepEqual(await book.ask(request, send), UNKNOWN);
  assert.deepEqual(await book.find(request), { found: 'undecided' });
  assert.equal(names.length, 1);
  await book.settle(request, { found: 'absent' });
  assert.deepEqual(await book.ask(request, send), ACCEPTED);
});

test('a crash between the intent and the request leaves it unknown', async () => {
  const request = newRequest();
  await assert.rejects(
    book.ask(request, () => Promise.reject(new Error('the process dies here'))),
    /dies/,
  );
  assert.deepEqual(await book.ask(request, carrier().send), UNKNOWN);
  assert.deepEqual(await book.find(request), { found: 'undecided' });
});

test('a carrier that knows a repeat by its name gets it again, until its window is over', async () => {
  const request = newRequest();
  const { names, send } = carrier(UNKNOWN, UNKNOWN, ACCEPTED);
  assert.deepEqual(await book.ask(request, send, { resendMs: 60_000 }), UNKNOWN);
  assert.deepEqual(await book.ask(request, send, { resendMs: 60_000 }), UNKNOWN);
  assert.equal(new Set(names).size, 1);
  await sql(db, "update carrier_requests set sent_at = sent_at - interval '61 s' where ref = $1", [request.ref]);
  assert.deepEqual(await book.ask(request, send, { resendMs: 60_000 }), UNKNOWN);
  assert.equal(names.length, 2);
});

test('of two that ask for the same thing at once, one sends', async () => {
  const request = newRequest();
  const { names, send } = carrier(ACCEPTED);
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => book.ask(request, send)));
  assert.equal(names.length, 1);
  assert.ok(outcomes.every(({ outcome }) => outcome === 'accepted' || outcome === 'unknown'));
});

test('the same object is a separate request at another connection, and for another operation', async () => {
  const request = newRequest();
  const other = openBook(db, await addConnection(harness.context, { name: 'other', capabilities: [] }));
  const { names, send } = carrier(ACCEPTED, ACCEPTED, ACCEPTED);
  await book.ask(request, send);
  await other.ask(request, send);
  await book.ask({ ...request, operation: 'release' }, send);
  assert.equal(new Set(names).size, 3);
});

test('what only a person can decide is listed, oldest first, and settled once', async () => {
  const request = newRequest();
  await book.ask(request, carrier(UNKNOWN).send);
  const open = await listOpenRequests(db, { connectionId: null, olderMs: 0, rows: 100 });
  const entry = open.find(({ ref }) => ref === request.ref) ?? assert.fail();
  assert.deepEqual([entry.connection, entry.operation, entry.attempts], ['booked', 'send', 1]);
  assert.deepEqual(await listOpenRequests(db, { connectionId: null, olderMs: 3_600_000, rows: 100 }), []);
  const settle = () => db.transaction((tx) => settleByHand(tx, { id: entry.id, connectionId: null }, 'accepted'));
  assert.deepEqual(await settle(), { operation: 'send', ref: request.ref });
  assert.equal(await settle(), undefined);
  assert.deepEqual(await book.find(request), { found: 'accepted' });
});

test('settled requests are deleted after 7 days, open ones never', async () => {
  const [settled, open] = [newRequest(), newRequest()];
  await book.ask(settled, carrier(ACCEPTED).send);
  await book.ask(open, carrier(UNKNOWN).send);
  await sql(
    db,
    "update carrier_requests set sent_at = sent_at - interval '8 days', settled_at = settled_at - interval '8 days'",
  );
  while ((await sweepRequests(db, 3)) > 0);
  assert.deepEqual(await book.find(settled), { found: 'absent' });
  assert.deepEqual(await book.find(open), { found: 'undecided' });
});
