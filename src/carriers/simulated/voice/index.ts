/** Calls over the simulated network: parties answer, talk and hang up by scheduled actions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeWav } from '../../../audio/wav.ts';
import type { Database } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Synthesizer } from '../../../speech/speech-synthesis.ts';
import type { VoicePort } from '../../ports/voice.ts';
import { listLiveAudio } from './audio/live-queries.ts';
import { KEPT_WITHIN_MS } from './audio/live-recorder.ts';
import { type LiveAudio, renderLegs } from './audio/rendering.ts';
import { endOf, isWebClient, type Leg } from './call.ts';
import type { CallExecutor } from './executor.ts';
import { type FoundRecording, findRecording, isKnownCommand, listLegs, listSounds } from './queries.ts';

type SimulatedVoiceOptions = {
  readonly db: Database;
  readonly executor: CallExecutor;
  readonly synthesizer: Synthesizer;
  /** How long a text takes to speak, in milliseconds. */
  readonly speechMs: (text: string) => Promise<number>;
};

/** Simulated calls are short. */
const LIMITS = { ringMsMax: 5_000, callMsMax: 600_000 } as const;

export function createSimulatedVoice({ db, executor, synthesizer, speechMs }: SimulatedVoiceOptions): VoicePort {
  const { synthesize } = synthesizer;
  return {
    limits: LIMITS,
    dispatch: async (ledger, { callRef, commandRef, instruction }) => {
      // Outside the transaction: speaking may start a program.
      const spokenMs = instruction.do === 'speak' ? await speechMs(instruction.text) : 0;
      const input = { type: 'command', instruction, spokenMs } as const;
      const refusal = await db.transaction((tx) => executor.execute(tx, { ledger, callRef, commandRef, input }));
      if (refusal === undefined) return { outcome: 'accepted' };
      if (refusal !== 'not_active') return { outcome: 'rejected', reason: refusal };
      return instruction.do === 'stop_stream' ? { outcome: 'accepted' } : { outcome: 'rejected', reason: 'leg_gone' };
    },
    findCommand: async ({ ledgerId }, { callRef, commandRef }) => ({
      found: (await isKnownCommand(db, ledgerId, callRef, commandRef)) ? 'accepted' : 'absent',
    }),
    fetchRecording: async (ledger, ref) => {
      const recording = await findRecording(db, ledger.ledgerId, ref);
      if (recording === undefined || recording.ended_at === null) return undefined;
      const { call_ref, leg_refs, starts_at: startsAt, ended_at: endsAt } = recording;
      const legs = await listLegs(db, ledger.ledgerId, call_ref);
      const sounds = await listSounds(db, ledger.ledgerId, call_ref);
      const live = await readLiveAudio(db, ledger, { recording, legs });
      const recorded = legs.filter((leg) => leg_refs.includes(leg.leg_ref));
      return encodeWav(await renderLegs(synthesize, { legs: recorded, sounds, live }, { startsAt, endsAt }));
    },
    fetchUtterance: async ({ ledgerId }, { callRef, utteranceRef }) => {
      const legs = await listLegs(db, ledgerId, callRef);
      const sounds = await listSounds(db, ledgerId, callRef);
      const sound = sounds.find((one) => one.ref === utteranceRef);
      const speaker = legs.filter((leg) => leg.leg_ref === sound?.said_by);
      if (sound === undefined || speaker.length === 0) return undefined;
      const span = { startsAt: sound.starts_at, endsAt: new Date(endOf(sound)) };
      return encodeWav(await renderLegs(synthesize, { legs: speaker, sounds }, span));
    },
  };
}

/** Reads what was heard live. The last row may be stored a moment after the end of the recording. */
async function readLiveAudio(
  db: Database,
  { ledgerId }: Ledger,
  { recording, legs }: { recording: FoundRecording; legs: readonly Leg[] },
): Promise<LiveAudio[]> {
  const call = { ledgerId, callRef: recording.call_ref };
  const heard = await listLiveAudio(db, call);
  if (heard.length === 0 && !legs.some((leg) => isWebClient(leg.address))) return [];
  const now = await ledgerNow(db, ledgerId);
  const waitMs = (recording.ended_at ?? now).getTime() + KEPT_WITHIN_MS - now.getTime();
  if (waitMs <= 0) return heard;
  await sleep(waitMs);
  return listLiveAudio(db, call);
}
