import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerKind } from '../../src/carriers/ports/voice.ts';
import { newId } from '../../src/lib/ids.ts';
import { useSubject } from './subject.ts';
import { createCall, type VoiceSubject } from './voice.ts';

type MachineSubject = VoiceSubject & {
  /** Numbers that a machine and a fax answer. */
  readonly answeredBy: Readonly<Record<'machine' | 'fax', string>>;
};

/** Longer than the greeting of a machine, and shorter than a person stays. */
const GREETING_S = 9;
const FAX_S = 4;

/** Checks how a carrier with a detector reports who answers. Carriers without one say so in `detector`. */
export function describeMachineConformance(name: string, makeSubject: () => Promise<MachineSubject>): void {
  describe(`${name}: answering machines`, () => {
    const subject = useSubject(makeSubject);

    /** Dials a party, with detection unless `detection` is off. Resolves with the reports of the next `seconds`. */
    const meet = async (to: string, seconds: number, asked: { detectsMachine?: true } = { detectsMachine: true }) => {
      const call = createCall(subject());
      const legRef = newId('call_leg');
      const { number } = subject();
      const parties = { party: 'customer', to, from: number, shownAs: number } as const;
      await call.must({ do: 'dial', legRef, ...parties, ringMs: 30_000, ...asked });
      const events = await call.settle(seconds);
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await call.settle(1, { 'leg.ended': 1 });
      assert.ok(events.every((event) => !('legRef' in event) || event.legRef === legRef));
      return events;
    };
    const kindsIn = (events: Awaited<ReturnType<typeof meet>>): AnswerKind[] =>
      events.flatMap((event) => (event.type === 'leg.classified' ? [event.kind] : []));

    test('a person and a fax are told apart, once, and neither has a greeting that ends', async () => {
      assert.equal(subject().voice.detector, undefined);
      for (const [to, kind, seconds] of [
        [subject().person(), 'person', GREETING_S],
        [subject().answeredBy.fax, 'fax', FAX_S],
      ] as const) {
        const events = await meet(to, seconds);
        assert.deepEqual(kindsIn(events), [kind]);
        assert.ok(events.every(({ type }) => type !== 'leg.greeting_ended'));
      }
    });

    test('a machine is found after its answer, and the end of its greeting after that, with the beep', async () => {
      const events = await meet(subject().answeredBy.machine, 3 * GREETING_S);
      assert.deepEqual(kindsIn(events), ['machine']);
      const types = events.map(({ type }) => type);
      assert.ok(types.indexOf('leg.answered') < types.indexOf('leg.classified'));
      const ends = events.flatMap((event) => (event.type === 'leg.greeting_ended' ? [event.beep] : []));
      assert.deepEqual(ends, [true]);
      assert.ok(types.indexOf('leg.classified') < types.indexOf('leg.greeting_ended'));
    });

    test('nothing is detected on a leg that was dialled without', async () => {
      const events = await meet(subject().answeredBy.machine, GREETING_S, {});
      assert.deepEqual(kindsIn(events), []);
      assert.ok(events.every(({ type }) => type !== 'leg.greeting_ended'));
    });
  });
}
