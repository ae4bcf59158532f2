/** Carries out acts when they fall due. */
import { durationMsOf } from '../../../audio/pcm.ts';
import { dtmf } from '../../../audio/tones.ts';
import type { Database } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { allThenThrow } from '../../../lib/all-then-throw.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { LeaseLostError } from '../../../queue/worker/lease.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
import type { VoiceEvent } from '../../ports/voice.ts';
import { ACT_KIND, type Act, type ActPayload } from './acts.ts';
import { takeUnreported } from './books.ts';
import { listensFrom } from './listening.ts';
import { findLeg, type OnCall, pickUp, press, say, startRinging, tire, utterance } from './parties.ts';
import { findScript, lockCall, type SimulatedLeg } from './queries.ts';
import { followScript } from './script-play.ts';
import { settleCall } from './settle-call.ts';
import { sayInTurn } from './waiting.ts';
import { checkWebClient } from './web-clients.ts';

/** Acts that one call of the handler carries out. */
const BATCH_MAX = 4;

type PerformerOptions = {
  readonly db: Database;
  readonly takeEvents: TakeEvents;
  /** How long a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};

type ActJob = Job<ActPayload>;

/** The handler of all that is still to happen on simulated calls. */
export function createActPerformer({ db, takeEvents, speechMs }: PerformerOptions): JobHandler<ActPayload> {
  const carryOut = async (job: ActJob): Promise<void> => {
    const { id, ledgerId, payload } = job;
    const { callRef, act } = payload;
    const ledger = await findLedger(db, ledgerId);
    if (ledger === undefined) return;
    // Speaking is not for a transaction: it may start a program.
    const text = act.act === 'small_talk' ? act.text : await scriptedText(db, { ledgerId, callRef, act });
    const spokenMs = text === undefined ? 0 : await speechMs(text);
    await db.transaction(async (tx) => {
      const call = await lockCall(tx, ledgerId, callRef);
      // Only now: whoever held the call before may have taken the act back, or planned it anew.
      await completeJobs(tx, [job]);
      if (call === undefined) return;
      const on = { tx, ledgerId, call };
      const events = await perform(on, act, { ref: id, spokenMs });
      await settleCall(on, ledger, { takeEvents, events });
    });
  };
  const inTurn = async (jobs: readonly ActJob[]): Promise<void> => {
    for (const job of jobs) {
      await carryOut(job).catch((error: unknown) => {
        // Taken back while it was about to happen: that is how it should be, and no matter for the others.
        if (!(error instanceof LeaseLostError)) throw error;
      });
    }
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
  /** The act's own name. */
  readonly ref: string;
  readonly spokenMs: number;
};

async function perform(on: OnCall, act: Act, performance: Performance): Promise<readonly VoiceEvent[]> {
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
    case 'check_web_client':
      return checkWebClient(on, leg, act.misses);
    case 'press': {
      if (leg.state !== 'up') return [];
      return press(on, leg, { ref, digits: act.digit, durationMs: durationMsOf(dtmf(act.digit)) });
    }
    case 'small_talk': {
      if (leg.state !== 'up' || listensFrom(on.call, leg) === undefined || hasSpoken(on)) return [];
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
async function speakUp(
  on: OnCall,
  leg: SimulatedLeg,
  said: { ref: string; text: string; durationMs: number },
): Promise<void> {
  const sound = await say(on, leg, said);
  await sayInTurn(on, leg.leg_ref, [sound], sound.starts_at);
}

/** A sound is over, and what was said or played is reported; not once more what broke off before. */
function reportSound(on: OnCall, ref: string): readonly VoiceEvent[] {
  const { call } = on;
  return takeUnreported(call, ref).flatMap((sound): VoiceEvent[] => {
    if (sound.said_by === null) {
      return [{ type: 'speech.ended', callRef: call.call_ref, speechRef: ref, completed: true }];
    }
    const leg = findLeg(on, sound.said_by);
    return leg === undefined ? [] : [utterance(leg, sound)];
  });
}
