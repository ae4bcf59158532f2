/** Carries out acts when they fall due. */
import { durationMsOf } from '../../../audio/pcm.ts';
import { dtmf } from '../../../audio/tones.ts';
import type { Database } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Job, JobHandler } from '../../../jobs/job.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { CarrierEventSink } from '../../port.ts';
import type { VoiceEvent } from '../../voice-port.ts';
import { ACT_KIND, type Act, type ActPayload } from './acts.ts';
import { takeUnreported } from './books.ts';
import { changeLeg, findLeg, type OnCall, pickUp, plan, press, say, startRinging, tire, utterance } from './parties.ts';
import { findScript, lockCall, type SimulatedLeg, saveCall } from './queries.ts';
import { followScript } from './script-play.ts';
import { checkSeat } from './seats.ts';

/** Acts that one call of the handler carries out. */
const BATCH_MAX = 4;

type PerformerOptions = {
  readonly db: Database;
  readonly sink: CarrierEventSink;
  /** How long a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};

/** The handler of all that is still to happen on simulated calls. */
export function createActPerformer({ db, sink, speechMs }: PerformerOptions): JobHandler<ActPayload> {
  const carryOut = async ({ id, ledgerId, payload: { callRef, act } }: Job<ActPayload>): Promise<void> => {
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    if (act.act === 'report') return sink(ledger, act.events);
    // Speaking is not for a transaction: it may start a program.
    const text = act.act === 'small_talk' ? act.text : await scriptedText(db, { ledgerId, callRef, act });
    const spokenMs = text === undefined ? 0 : await speechMs(text);
    const events = await db.transaction(async (tx) => {
      const call = await lockCall(tx, ledgerId, callRef);
      if (call === undefined) return [];
      const happened = await perform({ tx, ledgerId, call }, act, { ref: id, spokenMs });
      await saveCall(tx, ledgerId, call);
      return happened;
    });
    if (events.length > 0) await sink(ledger, events);
  };
  const inTurn = async (jobs: readonly Job<ActPayload>[]): Promise<void> => {
    for (const job of jobs) await carryOut(job);
  };
  return {
    kind: ACT_KIND,
    queue: 'voice',
    batchMax: BATCH_MAX,
    // Calls side by side, the acts of one in their order.
    run: (jobs) => allThenThrow([...Map.groupBy(jobs, ({ payload }) => payload.callRef).values()].map(inTurn)),
  };
}

async function scriptedText(
  db: Database,
  { ledgerId, callRef, act }: { ledgerId: number; callRef: string; act: Act },
): Promise<string | undefined> {
  if (act.act !== 'follow_script') return undefined;
  const step = (await findScript(db, ledgerId, callRef))?.[act.step];
  return step?.do === 'say' ? step.text : undefined;
}

type Performance = {
  /** The act's own name, the same each time it comes. */
  readonly ref: string;
  readonly spokenMs: number;
};

async function perform(
  on: OnCall,
  act: Exclude<Act, { act: 'report' }>,
  performance: Performance,
): Promise<readonly VoiceEvent[]> {
  switch (act.act) {
    case 'report_sound':
      return reportSound(on, act.ref);
    case 'follow_script':
      return followScript(on, act, performance);
    default: {
      const leg = findLeg(on, act.legRef);
      return leg === undefined ? [] : actAs(on, leg, act, performance);
    }
  }
}

async function actAs(
  on: OnCall,
  leg: SimulatedLeg,
  act: Extract<Act, { legRef: string }>,
  { ref, spokenMs }: Performance,
): Promise<readonly VoiceEvent[]> {
  switch (act.act) {
    case 'ring':
      return startRinging(on, leg);
    case 'answer':
      return pickUp(on, leg);
    case 'hang_up':
      return tire(on, leg);
    case 'check_seat':
      return checkSeat(on, leg, act.misses);
    case 'press': {
      if (leg.state !== 'up') return [];
      return press(on, leg, { ref, digits: act.digit, durationMs: durationMsOf(dtmf(act.digit)) });
    }
    case 'small_talk': {
      if (leg.state !== 'up' || hasSpoken(on)) return [];
      await speakUp(on, leg, { ref, text: act.text, durationMs: spokenMs });
      return [];
    }
  }
}

/** True if anybody has said something of his own: then nobody fills the silence. */
function hasSpoken({ call }: OnCall): boolean {
  return call.sounds.some((sound) => sound.said_by !== null && !sound.ref.includes(':small_talk:'));
}

/** Says something that is reported once it is over. */
export async function speakUp(
  on: OnCall,
  leg: SimulatedLeg,
  said: { ref: string; text: string; durationMs: number },
): Promise<void> {
  const { ref } = await say(on, leg, said);
  await plan(on, [{ name: `heard:${ref}`, inMs: said.durationMs, act: { act: 'report_sound', ref } }]);
  const busy_until = new Date(on.call.now.getTime() + said.durationMs);
  if (leg.busy_until === null || leg.busy_until < busy_until) await changeLeg(on, leg, { busy_until });
}

/** A sound is over. What was said is reported where it is transcribed, what was played in any case. */
function reportSound(on: OnCall, ref: string): readonly VoiceEvent[] {
  const { call } = on;
  takeUnreported(call, ref);
  const sound = call.sounds.find((one) => one.ref === ref);
  if (sound === undefined) return [];
  if (sound.said_by === null) {
    return [{ type: 'speech.ended', callRef: call.call_ref, speechRef: ref, completed: true }];
  }
  const leg = findLeg(on, sound.said_by);
  return leg?.transcribed ? [utterance(leg, sound)] : [];
}
