import { setTimeout as sleep } from 'node:timers/promises';
import { durationMsOf } from '../../../audio/pcm.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import { isWebClient } from '../../../domain/voice/index.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Synthesizer } from '../../../speech/speech-synthesis.ts';
import type { TakeEvents } from '../../ports/carrier.ts';
import type { Found, Outcome } from '../../ports/outcome.ts';
import type { VoiceCommand, VoiceInstruction, VoicePort, VoiceRefusal } from '../../ports/voice.ts';
import type { SimulatedCall } from './books.ts';
import { carryOut } from './commands.ts';
import { listLiveAudio } from './live-queries.ts';
import { KEPT_WITHIN_MS } from './live-recorder.ts';
import { isCommandNoted, listLegs, lockCall, openCall, type SimulatedLeg } from './queries.ts';
import { type LiveAudio, renderLegs } from './rendering.ts';
import { settleCall } from './settle-call.ts';
import { findRecording, listSounds, type Recording } from './sound-queries.ts';

type SimulatedVoiceOptions = {
  readonly db: Database;
  readonly synthesizer: Synthesizer;
  readonly takeEvents: TakeEvents;
};

type Answer = Outcome<object, VoiceRefusal>;

/** Simulated people have little patience, and no call of theirs lasts. */
const LIMITS = { ringMsMax: 5_000, callMsMax: 600_000 } as const;

/** Calls over the simulated network: parties answer, talk and hang up by durable jobs. */
export function createSimulatedVoice({ db, synthesizer, takeEvents }: SimulatedVoiceOptions): VoicePort {
  const audioOf = async (ledger: Ledger, callRef: string) => ({
    legs: await listLegs(db, ledger.ledgerId, callRef),
    sounds: await listSounds(db, ledger.ledgerId, callRef),
  });
  return {
    limits: LIMITS,
    dispatch: async (ledger, command) => {
      const text = textOf(command.instruction);
      const spokenMs = text === undefined ? 0 : durationMsOf(await synthesizer.synthesize(text));
      return obey({ db, takeEvents }, ledger, { command, spokenMs });
    },
    findCommand: async ({ ledgerId }, { callRef, commandRef }): Promise<Found<object>> => ({
      found: (await isCommandNoted(db, ledgerId, callRef, commandRef)) ? 'accepted' : 'absent',
    }),
    fetchRecording: async (ledger, ref) => {
      const recording = await findRecording(db, ledger.ledgerId, ref);
      if (recording === undefined || recording.ended_at === null) return undefined;
      const { legs, sounds } = await audioOf(ledger, recording.call_ref);
      const live = await liveAudioOf(db, ledger, { recording, legs });
      const own = legs.filter((leg) => recording.leg_refs.includes(leg.leg_ref));
      const span = { startsAt: recording.starts_at, endsAt: recording.ended_at };
      return encodeWav(await renderLegs(synthesizer.synthesize, { legs: own, sounds, live }, span));
    },
    fetchUtterance: async (ledger, { callRef, utteranceRef }) => {
      const { legs, sounds } = await audioOf(ledger, callRef);
      const sound = sounds.find((one) => one.ref === utteranceRef);
      const own = legs.filter((leg) => leg.leg_ref === sound?.said_by);
      if (sound === undefined || own.length === 0) return undefined;
      const startsAt = sound.starts_at;
      const span = { startsAt, endsAt: new Date(startsAt.getTime() + sound.duration_ms) };
      return encodeWav(await renderLegs(synthesizer.synthesize, { legs: own, sounds }, span));
    },
  };
}

/** What was heard live; the last of it may still be on its way for a moment. */
async function liveAudioOf(
  db: Database,
  { ledgerId }: Ledger,
  { recording, legs }: { recording: Recording; legs: readonly SimulatedLeg[] },
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

function textOf(instruction: VoiceInstruction): string | undefined {
  return instruction.do === 'speak' ? instruction.text : undefined;
}

/** One transaction a command: its effect on the parties, and what comes of that in the domain. */
async function obey(
  { db, takeEvents }: Pick<SimulatedVoiceOptions, 'db' | 'takeEvents'>,
  ledger: Ledger,
  { command, spokenMs }: { command: VoiceCommand; spokenMs: number },
): Promise<Answer> {
  const { commandRef, instruction } = command;
  const { ledgerId } = ledger;
  return db.transaction(async (tx) => {
    const call = await holdCall(tx, ledgerId, command);
    if (call === undefined) return instruction.do === 'stop_stream' ? { outcome: 'accepted' } : GONE;
    if (call.isCommandNoted) return { outcome: 'accepted' };
    const on = { tx, ledgerId, call };
    const done = await carryOut(on, instruction, spokenMs);
    if ('outcome' in done) return done;
    call.unsaved.commandRef = commandRef;
    await settleCall(on, ledger, { takeEvents, events: done });
    return { outcome: 'accepted' };
  });
}

/** Holds the call of a command. One that is not known yet is opened by a dial, and by a hang-up, which is remembered. */
async function holdCall(
  tx: Tx,
  ledgerId: number,
  { callRef, commandRef, instruction }: VoiceCommand,
): Promise<SimulatedCall | undefined> {
  if (instruction.do === 'dial') await openCall(tx, ledgerId, callRef, null);
  const call = await lockCall(tx, ledgerId, callRef, commandRef);
  if (call !== undefined || instruction.do !== 'hang_up') return call;
  await openCall(tx, ledgerId, callRef, null);
  return lockCall(tx, ledgerId, callRef, commandRef);
}

const GONE: Answer = { outcome: 'rejected', reason: 'leg_gone' };
