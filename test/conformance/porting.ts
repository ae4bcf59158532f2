import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { PortInDocument, PortInOrder, PortingPort } from '../../src/carriers/ports/porting.ts';
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { time } from '../support/emulator-time.ts';
import { useSubject } from './subject.ts';

/** A porting capability under test, and the losing carriers behind it. */
export type PortingSubject = {
  readonly porting: PortingPort;
  readonly ledger: Ledger;
  /** Returns a number that can be ported in, another one at each call. */
  nextPortable(): string;
  readonly notPortable: string;
  /** A portable number whose losing carrier differs from the carriers of `nextPortable`. */
  readonly ofAnotherCarrier: string;
  /** A number whose first submission needs action. */
  readonly needsAction: string;
  /** The documents that the carrier asks for. Absent: none. */
  readonly documents?: readonly PortInDocument[];
  /**
   * With true, port-ins make no progress until it is called with false. Absent: they make progress only in `settle`.
   */
  pend?(isPending: boolean): Promise<void>;
  /** Lets the port-ins finish. Resolves with all events handed over since the last call. */
  settle(): Promise<readonly CarrierEvent[]>;
  /** Frees everything that the subject opened. */
  close(): Promise<void>;
};

let portable = 0;

/** The numbers of a simulated network, for its own subject and for the subject behind a wire. */
export const SIMULATED_PORTING = {
  nextPortable: () => `+1520555${String(3000 + portable++)}`,
  notPortable: MAGIC.notPortable,
  ofAnotherCarrier: MAGIC.portedFromElsewhere,
  needsAction: MAGIC.portNeedsAction,
};

/** Checks a porting capability. */
export function describePortingConformance(name: string, makeSubject: () => Promise<PortingSubject>): void {
  describe(`${name}: porting`, () => {
    const subject = useSubject(makeSubject);

    const makeOrder = (phoneNumber: string, change: Partial<PortInOrder> = {}): PortInOrder => ({
      ref: newId('port_in'),
      attempt: 1,
      submittedAt: new Date(time.now()),
      tenant: { id: newId('tenant'), name: 'Desert Dental' },
      phoneNumbers: [phoneNumber],
      entityName: 'Desert Dental LLC',
      authorizedPerson: 'Dana Reyes',
      billingPhoneNumber: phoneNumber,
      accountNumber: '4471-0093',
      pin: '9034',
      serviceAddress: { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' },
      documents: subject().documents ?? [],
      ...change,
    });
    const submit = (order: PortInOrder) => subject().porting.submitPortIn(subject().ledger, order);
    const find = ({ ref, attempt }: PortInOrder) => subject().porting.findPortIn(subject().ledger, { ref, attempt });
    const statusesOf = (events: readonly CarrierEvent[], { ref, attempt }: PortInOrder) =>
      events.flatMap((event) =>
        event.type === 'port_in.report' && event.ref === ref && event.attempt === attempt ? [event.report.status] : [],
      );

    test('each number has a verdict, in the given order, with a reason if it cannot be ported', async () => {
      const asked = [subject().notPortable, subject().nextPortable(), subject().notPortable];
      const verdicts = await subject().porting.checkPortability(subject().ledger, asked);
      assert.deepEqual(
        verdicts.map(({ phone_number, portable }) => [phone_number, portable]),
        asked.map((each) => [each, each !== subject().notPortable]),
      );
      for (const { portable, reason } of verdicts) assert.equal(reason === null, portable);
    });

    test('numbers of one losing carrier have the same carrier name, numbers of another a different one', async () => {
      const asked = [subject().nextPortable(), subject().ofAnotherCarrier, subject().nextPortable()];
      const verdicts = await subject().porting.checkPortability(subject().ledger, asked);
      const [first, other, second] = verdicts.map(({ losing_carrier }) => losing_carrier);
      assert.equal(first, second);
      assert.ok(first === null || other === null || first !== other);
    });

    test('a submission is confirmed once, then completed once, and the completion has its numbers', async () => {
      const order = makeOrder(subject().nextPortable());
      for (const { outcome } of [await submit(order), ...(await Promise.all([submit(order), submit(order)]))]) {
        assert.equal(outcome, 'accepted');
      }
      const events = await subject().settle();
      assert.deepEqual(statusesOf(events, order), ['foc_confirmed', 'completed']);
      const reported = events.flatMap((event) =>
        event.type === 'port_in.report' && event.ref === order.ref ? [event.report] : [],
      );
      assert.deepEqual(await find(order), { found: 'accepted', reports: reported }, 'a lost report can be asked for');
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

    test('a submission that needs action is reported with the reason, and its next attempt is completed', async () => {
      const order = makeOrder(subject().needsAction);
      await submit(order);
      const events = await subject().settle();
      assert.deepEqual(statusesOf(events, order), ['action_needed']);
      const report = events.find((event) => event.type === 'port_in.report' && event.ref === order.ref);
      assert.ok(report?.type === 'port_in.report' && (report.report.detail ?? '').length > 0);
      const next = { ...order, attempt: 2, pin: '1111', submittedAt: new Date(time.now()) };
      assert.equal((await find(next)).found, 'absent');
      await submit(next);
      assert.deepEqual(statusesOf(await subject().settle(), next), ['foc_confirmed', 'completed']);
    });

    test('a submission whose answer was lost is found, one never sent is not', async () => {
      const order = makeOrder(subject().nextPortable());
      assert.equal((await find(order)).found, 'absent');
      await submit(order);
      assert.equal((await find(order)).found, 'accepted');
    });

    test('a cancelled submission reports nothing more; cancelling it again, or an unknown one, is accepted', async () => {
      const order = makeOrder(subject().nextPortable());
      // Holds the port-in, so that it is cancelled before its numbers are ported.
      await subject().pend?.(true);
      await submit(order);
      for (const ref of [order.ref, order.ref, newId('port_in')]) {
        assert.deepEqual(await subject().porting.cancelPortIn(subject().ledger, ref), { outcome: 'accepted' });
      }
      await subject().pend?.(false);
      assert.deepEqual(
        statusesOf(await subject().settle(), order).filter((status) => status !== 'cancelled'),
        [],
      );
    });

    test('a completed submission cannot be cancelled', async () => {
      const order = makeOrder(subject().nextPortable());
      await submit(order);
      await subject().settle();
      const outcome = await subject().porting.cancelPortIn(subject().ledger, order.ref);
      assert.deepEqual(outcome, { outcome: 'rejected', reason: 'too_late' });
    });
  });
}
