/**
 * What the domain relies on, whichever carrier is behind the port. Each adapter runs these suites from a test of its
 * own: the simulated one in process, others against recorded exchanges.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { MessagingPort, OutboundMessage } from '../../src/carriers/ports/messaging.ts';
import type { NumbersPort } from '../../src/carriers/ports/numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';

/** A numbers capability under test. `close` frees what making it took. */
export type NumbersSubject = { readonly numbers: NumbersPort; readonly ledger: Ledger; close(): Promise<void> };

/** @param areaCode one in which the carrier has more than ten numbers on sale */
export function describeNumbersConformance(
  name: string,
  makeSubject: () => Promise<NumbersSubject>,
  areaCode = '602',
): void {
  describe(`${name}: numbers`, () => {
    let subject: NumbersSubject;
    before(async () => {
      subject = await makeSubject();
    });
    after(() => subject.close());

    const search = (limit: number) => subject.numbers.search(subject.ledger, { areaCode, limit });
    const order = (ref: string, phoneNumber: string) => subject.numbers.order(subject.ledger, { ref, phoneNumber });
    const find = (ref: string, phoneNumber: string) => subject.numbers.findOrder(subject.ledger, { ref, phoneNumber });
    const onSale = async () => (await search(1))[0]?.phone_number ?? assert.fail('nothing on sale');

    test('a search keeps to its area code and limit and describes each number', async () => {
      const found = await search(5);
      assert.equal(found.length, 5);
      assert.equal(new Set(found.map((number) => number.phone_number)).size, 5);
      for (const number of found) {
        assert.match(number.phone_number, new RegExp(`^\\+1${areaCode}\\d{7}$`));
        assert.match(number.monthly_price_usd, /^\d+\.\d{2}$/);
        assert.ok(number.capabilities.length > 0);
      }
    });

    test('an order brings the number, and the carrier no longer offers it', async () => {
      const phoneNumber = await onSale();
      const outcome = await order(newId('phone_number'), phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      assert.ok(outcome.carrierRef.length > 0);
      assert.ok(outcome.capabilities.includes('voice'));
      const offered = (await search(10)).map((number) => number.phone_number);
      assert.ok(!offered.includes(phoneNumber));
    });

    test('an order repeated with its ref is the same order', async () => {
      const ref = newId('phone_number');
      const phoneNumber = await onSale();
      const first = await order(ref, phoneNumber);
      assert.equal(first.outcome, 'accepted');
      assert.deepEqual(await order(ref, phoneNumber), first);
    });

    test('of orders placed together for one number exactly one is accepted', async () => {
      const phoneNumber = await onSale();
      const refs = Array.from({ length: 8 }, () => newId('phone_number'));
      const outcomes = await Promise.all(refs.map((ref) => order(ref, phoneNumber)));
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'accepted').length, 1);
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'rejected').length, 7);
    });

    test('a number somebody has is refused to another order', async () => {
      const phoneNumber = await onSale();
      await order(newId('phone_number'), phoneNumber);
      assert.deepEqual(await order(newId('phone_number'), phoneNumber), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('a number that is not on sale anywhere is refused', async () => {
      assert.deepEqual(await order(newId('phone_number'), '+15005550001'), {
        outcome: 'rejected',
        reason: 'number_unavailable',
      });
    });

    test('an order whose answer was lost is found, with what it brought', async () => {
      const ref = newId('phone_number');
      const phoneNumber = await onSale();
      assert.equal((await find(ref, phoneNumber)).found, 'absent');
      const outcome = await order(ref, phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      const { carrierRef, capabilities } = outcome;
      assert.deepEqual(await find(ref, phoneNumber), { found: 'accepted', carrierRef, capabilities });
      assert.equal((await find(newId('phone_number'), phoneNumber)).found, 'absent');
    });

    test('a number can be released, and released again', async () => {
      const phoneNumber = await onSale();
      const outcome = await order(newId('phone_number'), phoneNumber);
      if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
      const { carrierRef } = outcome;
      for (let times = 0; times < 2; times++) {
        const released = await subject.numbers.release(subject.ledger, { phoneNumber, carrierRef });
        assert.equal(released.outcome, 'accepted');
      }
    });
  });
}

/** A messaging capability under test, and the world behind it that a test plays. `close` frees what making it took. */
export type MessagingSubject = {
  readonly messaging: MessagingPort;
  readonly ledger: Ledger;
  /** A number that texts may be sent from. */
  readonly from: string;
  /** Numbers whose texts arrive, fail to arrive, and meet a carrier that is away. */
  readonly to: { readonly delivered: string; readonly undeliverable: string; readonly away: string };
  /** Lets pass what time and work the carrier needs; resolves with all events handed over since the last call. */
  settle(): Promise<readonly CarrierEvent[]>;
  /** How many texts with this body a handset got. */
  countReceived(to: string, body: string): Promise<number>;
  /** Texts `body` from a person to `from`. */
  textBack(person: string, body: string): Promise<void>;
  close(): Promise<void>;
};

export function describeMessagingConformance(name: string, makeSubject: () => Promise<MessagingSubject>): void {
  describe(`${name}: messaging`, () => {
    let subject: MessagingSubject;
    before(async () => {
      subject = await makeSubject();
    });
    after(() => subject.close());

    const makeText = (to: string, body = `conformance ${newId('message')}`): OutboundMessage => ({
      ref: newId('message'),
      from: subject.from,
      to,
      body,
      mediaUrls: [],
    });
    const send = (text: OutboundMessage) => subject.messaging.send(subject.ledger, text);
    const find = (ref: string) => subject.messaging.findSend(subject.ledger, ref);
    const receiptsOf = (events: readonly CarrierEvent[], ref: string) =>
      events.filter((event) => event.type === 'message.receipt').filter((event) => event.ref === ref);

    test('a text is accepted, reaches its handset, and a receipt brings its ref back', async () => {
      const text = makeText(subject.to.delivered);
      assert.deepEqual(await send(text), { outcome: 'accepted' });
      const receipts = receiptsOf(await subject.settle(), text.ref);
      assert.equal(receipts.at(-1)?.status, 'delivered');
      assert.equal(await subject.countReceived(text.to, text.body), 1);
    });

    test('a text handed over again with its ref is the same text', async () => {
      const text = makeText(subject.to.delivered);
      const outcomes = [await send(text), ...(await Promise.all([send(text), send(text)]))];
      for (const { outcome } of outcomes) assert.equal(outcome, 'accepted');
      await subject.settle();
      assert.equal(await subject.countReceived(text.to, text.body), 1);
    });

    test('a text whose answer was lost is found by its ref, one never sent is not', async () => {
      const text = makeText(subject.to.delivered);
      assert.equal((await find(text.ref)).found, 'absent');
      await send(text);
      assert.equal((await find(text.ref)).found, 'accepted');
    });

    test('a text that cannot be delivered is reported failed, with a reason', async () => {
      const text = makeText(subject.to.undeliverable);
      assert.equal((await send(text)).outcome, 'accepted');
      const [receipt, ...more] = receiptsOf(await subject.settle(), text.ref);
      assert.equal(more.length, 0);
      assert.equal(receipt?.type === 'message.receipt' && receipt.status, 'failed');
      assert.ok(receipt?.type === 'message.receipt' && receipt.failureReason !== undefined);
    });

    test('a carrier that is away says so, and does not have the text', async () => {
      const text = makeText(subject.to.away);
      assert.equal((await send(text)).outcome, 'unavailable');
      assert.equal((await find(text.ref)).found, 'absent');
      assert.equal(await subject.countReceived(text.to, text.body), 0);
    });

    test('texts handed over together are each taken once', async () => {
      const texts = Array.from({ length: 30 }, () => makeText(subject.to.delivered));
      const outcomes = await Promise.all(texts.map(send));
      assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['accepted']));
      const events = await subject.settle();
      for (const { ref } of texts) assert.equal(receiptsOf(events, ref).length, 1);
    });

    test("a person's text comes in with the carrier's id, from whom and for which number", async () => {
      await subject.settle();
      await subject.textBack(subject.to.delivered, 'Hello back');
      const received = (await subject.settle()).filter((event) => event.type === 'message.received');
      assert.equal(received.length, 1);
      const { carrierMessageId, ...text } = received[0] as Extract<CarrierEvent, { type: 'message.received' }>;
      assert.ok(carrierMessageId.length > 0);
      const { from: to } = subject;
      const expected = { type: 'message.received', from: subject.to.delivered, to, body: 'Hello back', mediaUrls: [] };
      assert.deepEqual(text, expected);
    });
  });
}
