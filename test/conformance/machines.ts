import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerFinding } from '../../src/audio/answer/answer-detector.ts';
import type { VoiceEvent } from '../../src/carriers/ports/voice.ts';
import { newId } from '../../src/lib/ids.ts';
import { until } from '../support/jobs.ts';
import { useMediaNodes } from '../support/media-node.ts';
import { useSubject } from './subject.ts';
import { createCall, type VoiceSubject } from './voice.ts';

type MachineSubject = VoiceSubject & {
  /** Numbers that a machine and a fax answer. */
  readonly answeredBy: Readonly<Record<'machine' | 'fax', string>>;
  /** Makes the party of an answered call say its words. Absent if parties speak automatically. */
  readonly speak?: (to: string) => void;
  /**
   * Returns the time from the end of the party's beep to the first sound that is played to it after that. Absent for a
   * carrier that makes no audio.
   */
  readonly playedAfterMs?: (to: string) => Promise<number>;
};

/** Longer than the greeting of a machine, and shorter than a person stays. */
const GREETING_S = 9;
const FAX_S = 4;
const LIMIT_MS = 60_000;

/** The detector is done with a call after one of these events: the verdict, or the end of a machine's greeting. */
type Last = 'leg.classified' | 'leg.greeting_ended';

const MESSAGE = { do: 'speak', text: 'Please call us back.', purpose: 'announcement' } as const;

/** Returns a function that dials a party, without detection if `detects` is false. */
function useParties(makeSubject: () => Promise<MachineSubject>) {
  const start = useMediaNodes();
  const subject = useSubject(makeSubject);

  /** Lets the gateway hear a leg with its detector. Resolves with the findings, as the product reports them. */
  const hear = async (call: ReturnType<typeof createCall>, legRef: string, last: Last): Promise<VoiceEvent[]> => {
    const { callRef } = call;
    const { dialect, hasOneStream } = subject().voice.audio ?? {};
    const node = await start();
    const of = { ledgerId: subject().ledger.ledgerId, callId: callRef };
    const track = hasOneStream ? 'both' : 'inbound';
    node.grants.set(legRef, {
      ...{ call: of, dialect: dialect ?? assert.fail(), detects: 'kind' },
      ...(!hasOneStream && { isForDetectorAlone: true }),
    });
    const url = `${node.url}/v1/ingest?call=${callRef}&leg=${legRef}&track=${track}&token=carrier-${legRef}`;
    const direction = hasOneStream ? 'bidirectional' : 'fork';
    await call.must({ do: 'start_stream', streamRef: `${callRef}.h1`, legRef, direction, track, url });
    const found = () => node.findings.map((finding) => eventOf({ callRef, legRef }, finding));
    await until(`${last} of the gateway's detector`, () => found().some(({ type }) => type === last), LIMIT_MS);
    return found();
  };

  const dial = async (to: string, { detects = true } = {}) => {
    const { number, voice, speak } = subject();
    const call = createCall(subject());
    const legRef = newId('call_leg');
    const parties = { party: 'customer', to, from: number, shownAs: number } as const;
    const isHeard = voice.detector === 'gateway';
    const asked = detects && !isHeard && ({ detectsMachine: true } as const);
    await call.must({ do: 'dial', legRef, ...parties, ringMs: 30_000, ...asked });
    /** Resolves with the reports of the next `seconds`. If the gateway detects machines, also with its findings. */
    const meet = async (seconds: number, last: Last): Promise<VoiceEvent[]> => {
      if (!isHeard || !detects) return await call.settle(seconds);
      const answered = await call.settle(0, { 'leg.answered': 1 });
      speak?.(to);
      return [...answered, ...(await hear(call, legRef, last))];
    };
    const hangUp = async () => {
      await call.must({ do: 'hang_up', legRef, reason: 'ended' });
      await call.settle(1, { 'leg.ended': 1 });
    };
    return { call, legRef, meet, hangUp };
  };
  return { subject, dial };
}

type Heard = { readonly callRef: string; readonly legRef: string };

function eventOf(leg: Heard, finding: AnswerFinding): VoiceEvent {
  if (finding.found === 'kind') return { type: 'leg.classified', ...leg, kind: finding.kind };
  return { type: 'leg.greeting_ended', ...leg, beep: finding.beep };
}

const kindsIn = (events: readonly VoiceEvent[]) =>
  events.flatMap((event) => (event.type === 'leg.classified' ? [event.kind] : []));

/**
 * Checks the detection of who answers: by the carrier, or, for a carrier without a detector, by the gateway in the
 * audio.
 */
export function describeMachineConformance(name: string, makeSubject: () => Promise<MachineSubject>): void {
  describe(`${name}: answering machines`, () => {
    const { subject, dial } = useParties(makeSubject);

    test('a person and a fax are told apart, once, and neither has a greeting that ends', async () => {
      for (const [to, kind, seconds] of [
        [subject().person(), 'person', GREETING_S],
        [subject().answeredBy.fax, 'fax', FAX_S],
      ] as const) {
        const { legRef, meet, hangUp } = await dial(to);
        const events = await meet(seconds, 'leg.classified');
        assert.deepEqual(kindsIn(events), [kind]);
        assert.ok(events.every((event) => !('legRef' in event) || event.legRef === legRef));
        assert.ok(events.every(({ type }) => type !== 'leg.greeting_ended'));
        await hangUp();
      }
    });

    test('a machine is found after its answer, then the end of its greeting, and the message is after its beep', async () => {
      const to = subject().answeredBy.machine;
      const { call, legRef, meet, hangUp } = await dial(to);
      const events = await meet(3 * GREETING_S, 'leg.greeting_ended');
      assert.deepEqual(kindsIn(events), ['machine']);
      const types = events.map(({ type }) => type);
      assert.ok(types.indexOf('leg.answered') < types.indexOf('leg.classified'));
      const ends = events.flatMap((event) => (event.type === 'leg.greeting_ended' ? [event.beep] : []));
      assert.deepEqual(ends, [true]);
      assert.ok(types.indexOf('leg.classified') < types.indexOf('leg.greeting_ended'));
      await call.must({ ...MESSAGE, speechRef: 'message', legRefs: [legRef] });
      const heard = await call.settle(5, { 'speech.ended': 1 });
      const speeches = heard.flatMap((event) => (event.type === 'speech.ended' ? [event.completed] : []));
      assert.deepEqual(speeches, [true]);
      const afterMs = await subject().playedAfterMs?.(to);
      assert.ok(afterMs === undefined || afterMs >= 0, `the message starts ${afterMs} ms after the beep`);
      await hangUp();
    });

    test('nothing is detected on a leg that was dialled without', async () => {
      const { meet, hangUp } = await dial(subject().answeredBy.machine, { detects: false });
      const events = await meet(GREETING_S, 'leg.classified');
      assert.deepEqual(kindsIn(events), []);
      assert.ok(events.every(({ type }) => type !== 'leg.greeting_ended'));
      await hangUp();
    });
  });
}
