import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { PortInOrder, PortingPort } from '../../src/carriers/ports/porting.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';

/** A porting capability under test, and the losing carrier behind it. `close` frees what making it took. */
export type PortingSubject = {
  readonly porting: PortingPort;
  readonly ledger: Ledger;
  /** A number that can come, another one at each call. */
  portable(): string;
  /** A number that cannot. */
  readonly bound: string;
  /** A number that can come, from another losing carrier than all that `portable` gives. */
  readonly elsewhere: string;
  /** A number whose first submission needs action. */
  readonly troubled: string;
  /** Lets pass what time and work a port-in needs; resolves with all events handed over since the last call. */
  settle(): Promise<readonly CarrierEvent[]>;
  close(): Promise<void>;
};

export function describePortingConformance(name: string, makeSubject: () => Promise<PortingSubject>): void {
  describe(`${name}: porting`, () => {
    let subject: PortingSubject;
    before(async () => {
      subject = await makeSubject();
    });
    after(() => subject.close());

    const makeOrder = (phoneNumber: string, change: Partial<PortInOrder> = {}): PortInOrder => ({
      ref: newId('port_in'),
      attempt: 1,
      submittedAt: new Date(),
      phoneNumbers: [phoneNumber],
      entityName: 'Desert Dental LLC',
      authorizedPerson: 'Dana Reyes',
      billingPhoneNumber: phoneNumber,
      accountNumber: '4471-0093',
      pin: '9034',
      serviceAddress: { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' },
      ...change,
    });
    const submit = (order: PortInOrder) => subject.porting.submitPortIn(subject.ledger, order);
    const find = ({ ref, attempt }: PortInOrder) => subject.porting.findPortIn(subject.ledger, { ref, attempt });
    const statusesOf = (events: readonly CarrierEvent[], { ref, attempt }: PortInOrder) =>
      events.flatMap((event) =>
        event.type === 'port_in.report' && event.ref === ref && event.attempt === attempt ? [event.report.status] : [],
      );

    test('a verdict for each number, in order, with a reason where it cannot come', async () => {
      const asked = [subject.bound, subject.portable(), subject.bound];
      const verdicts = await subject.porting.checkPortability(subject.ledger, asked);
      assert.deepEqual(
        verdicts.map(({ phone_number, portable }) => [phone_number, portable]),
        asked.map((each) => [each, each !== subject.bound]),
      );
      for (const { portable, reason } of verdicts) assert.equal(reason === null, portable);
    });

    test('numbers of one losing carrier are told from those of another', async () => {
      const asked = [subject.portable(), subject.elsewhere, subject.portable()];
      const verdicts = await subject.porting.checkPortability(subject.ledger, asked);
      const [first, other, second] = verdicts.map(({ losing_carrier }) => losing_carrier);
      assert.equal(first, second);
      assert.ok(first === null || other === null || first !== other);
    });

    test('a submission is confirmed and then completed, once, and brings its numbers', async () => {
      const order = makeOrder(subject.portable());
      for (const { outcome } of [await submit(order), ...(await Promise.all([submit(order), submit(order)]))]) {
        assert.equal(outcome, 'accepted');
      }
      const events = await subject.settle();
      assert.deepEqual(statusesOf(events, order), ['foc_confirmed', 'completed']);
      const last = events.findLast((event) => event.type === 'port_in.report' && event.ref === order.ref);
      if (last?.type !== 'port_in.report' || last.report.status !== 'completed') assert.fail('not completed');
      assert.deepEqual(
        last.report.numbers.map(({ phoneNumber }) => phoneNumber),
        order.phoneNumbers,
      );
      for (const { capabilities, carrierRef } of last.report.numbers) {
        assert.ok(capabilities.includes('voice') && carrierRef.length > 0);
      }
    });

    test('one that needs action says why, and goes through as the next attempt', async () => {
      const order = makeOrder(subject.troubled);
      await submit(order);
      const events = await subject.settle();
      assert.deepEqual(statusesOf(events, order), ['action_needed']);
      const report = events.find((event) => event.type === 'port_in.report' && event.ref === order.ref);
      assert.ok(report?.type === 'port_in.report' && (report.report.detail ?? '').length > 0);
      const next = { ...order, attempt: 2, pin: '1111', submittedAt: new Date() };
      assert.equal((await find(next)).found, 'absent');
      await submit(next);
      assert.deepEqual(statusesOf(await subject.settle(), next), ['foc_confirmed', 'completed']);
    });

    test('a submission whose answer was lost is found, one never sent is not', async () => {
      const order = makeOrder(subject.portable());
      assert.equal((await find(order)).found, 'absent');
      await submit(order);
      assert.equal((await find(order)).found, 'accepted');
    });

    test('one that is cancelled in time reports nothing more; cancelling again, or the unknown, is accepted', async () => {
      const order = makeOrder(subject.portable());
      await submit(order);
      for (const ref of [order.ref, order.ref, newId('port_in')]) {
        assert.deepEqual(await subject.porting.cancelPortIn(subject.ledger, ref), { outcome: 'accepted' });
      }
      assert.deepEqual(
        statusesOf(await subject.settle(), order).filter((status) => status !== 'cancelled'),
        [],
      );
    });

    test('one that is completed can no longer be cancelled', async () => {
      const order = makeOrder(subject.portable());
      await submit(order);
      await subject.settle();
      const outcome = await subject.porting.cancelPortIn(subject.ledger, order.ref);
      assert.deepEqual(outcome, { outcome: 'rejected', reason: 'too_late' });
    });
  });
}
