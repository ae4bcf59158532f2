import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { MessagingPort, OutboundMessage } from '../../src/carriers/ports/messaging.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { useSubject } from './subject.ts';

/** A messaging capability under test, and the handsets behind it. */
export type MessagingSubject = {
  readonly messaging: MessagingPort;
  readonly ledger: Ledger;
  /** A number that texts may be sent from. */
  readonly from: string;
  /** Numbers by the result of a text to them: delivered, accepted but not delivered, or answered with `unavailable`. */
  readonly to: { readonly delivered: string; readonly undeliverable: string; readonly unavailable: string };
  /** Lets the carrier finish its work. Resolves with all events handed over since the last call. */
  settle(): Promise<readonly CarrierEvent[]>;
  /** Returns how many texts with this body a handset received. */
  countReceived(to: string, body: string): Promise<number>;
  /** Sends a text from a person to `from`. */
  textBack(person: string, body: string): Promise<void>;
  /** Frees everything that the subject opened. */
  close(): Promise<void>;
};

/** Checks a messaging capability. */
export function describeMessagingConformance(name: string, makeSubject: () => Promise<MessagingSubject>): void {
  describe(`${name}: messaging`, () => {
    const subject = useSubject(makeSubject);

    const makeText = (to: string, body = `conformance ${newId('message')}`): OutboundMessage => ({
      ref: newId('message'),
      from: subject().from,
      to,
      body,
      mediaUrls: [],
    });
    const send = (text: OutboundMessage) => subject().messaging.send(subject().ledger, text);
    const find = (ref: string) => subject().messaging.findSend(subject().ledger, ref);
    /** The last receipts of a text: a carrier may also report that it has sent the text. */
    const receiptsOf = (events: readonly CarrierEvent[], ref: string) =>
      events
        .filter((event) => event.type === 'message.receipt')
        .filter((event) => event.ref === ref && event.status !== 'sent');

    test('a text is accepted and reaches its handset, and its receipt carries its ref', async () => {
      const text = makeText(subject().to.delivered);
      assert.deepEqual(await send(text), { outcome: 'accepted' });
      const receipts = receiptsOf(await subject().settle(), text.ref);
      assert.equal(receipts.at(-1)?.status, 'delivered');
      assert.equal(await subject().countReceived(text.to, text.body), 1);
    });

    test('a text handed over again with its ref is the same text', async () => {
      const text = makeText(subject().to.delivered);
      const outcomes = [await send(text), ...(await Promise.all([send(text), send(text)]))];
      for (const { outcome } of outcomes) assert.equal(outcome, 'accepted');
      await subject().settle();
      assert.equal(await subject().countReceived(text.to, text.body), 1);
    });

    test('a text whose answer was lost is found by its ref, one never sent is not', async () => {
      const text = makeText(subject().to.delivered);
      assert.equal((await find(text.ref)).found, 'absent');
      await send(text);
      assert.equal((await find(text.ref)).found, 'accepted');
    });

    test('a text that cannot be delivered is reported failed, with a reason', async () => {
      const text = makeText(subject().to.undeliverable);
      assert.equal((await send(text)).outcome, 'accepted');
      const [receipt, ...more] = receiptsOf(await subject().settle(), text.ref);
      assert.equal(more.length, 0);
      assert.equal(receipt?.type === 'message.receipt' && receipt.status, 'failed');
      assert.ok(receipt?.type === 'message.receipt' && receipt.failureReason !== undefined);
    });

    test('a text answered `unavailable` is not at the carrier', async () => {
      const text = makeText(subject().to.unavailable);
      assert.equal((await send(text)).outcome, 'unavailable');
      assert.equal((await find(text.ref)).found, 'absent');
      assert.equal(await subject().countReceived(text.to, text.body), 0);
    });

    test('texts handed over concurrently are each accepted once', async () => {
      const texts = Array.from({ length: 30 }, () => makeText(subject().to.delivered));
      const outcomes = await Promise.all(texts.map(send));
      assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['accepted']));
      const events = await subject().settle();
      for (const { ref } of texts) assert.equal(receiptsOf(events, ref).length, 1);
    });

    test("a person's text comes in with the carrier's id, its sender and its recipient", async () => {
      await subject().settle();
      await subject().textBack(subject().to.delivered, 'Hello back');
      const received = (await subject().settle()).filter((event) => event.type === 'message.received');
      assert.equal(received.length, 1);
      const [event] = received as Extract<CarrierEvent, { type: 'message.received' }>[];
      const { carrierMessageId, occurredAt, ...text } = event ?? assert.fail();
      assert.ok(carrierMessageId.length > 0);
      // A carrier may leave out the time.
      assert.ok(occurredAt === undefined || occurredAt.getTime() > 0);
      const { from: to } = subject();
      const expected = {
        type: 'message.received',
        from: subject().to.delivered,
        to,
        body: 'Hello back',
        mediaUrls: [],
      };
      assert.deepEqual(text, expected);
    });
  });
}
