/** State that the parts of the voice port share for one connection. */
import { Buffer } from 'node:buffer';
import type { Ledger } from '../../../lib/scope.ts';
import { sleep } from '../../../lib/time/time.ts';
import type { Synthesizer } from '../../../speech/port.ts';
import type { LegName } from '../../call-control/leg-queries.ts';
import { ACCEPTED, LEG_GONE, NOT_SUPPORTED, type VoiceOutcome } from '../../call-control/verbs.ts';
import { type Answer, outcomeOf } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import type { NoFile } from '../client/media.ts';
import type { TelnyxLeg } from './leg-queries.ts';

export type VoiceLine = TelnyxLine & {
  readonly synthesizer: Synthesizer;
  /** Returns hold audio (mu-law, 8 kHz); undefined if it was deleted. */
  readonly readHoldAudio: (audioRef: string) => Promise<Uint8Array | undefined>;
  /** Fetches a file from Telnyx, such as a recording. */
  readonly fetchFile: (address: string, bytesMax: number) => Promise<Uint8Array | NoFile>;
  /** True if Telnyx transcribes calls. */
  readonly transcribes: boolean;
  /** True if Telnyx's premium detector detects answering machines; false if the gateway does. */
  readonly detects: boolean;
};

/** One command while it is carried out. `id` is its name at Telnyx. Telnyx ignores a repeat of a name for 60 s. */
export type Work = {
  readonly line: VoiceLine;
  readonly ledger: Ledger;
  readonly callRef: string;
  readonly id: string;
};

/** A leg that accepts commands: Telnyx has named it, and it has not ended. */
export type LiveLeg = TelnyxLeg & { readonly callControlId: string };

export function isLive(leg: TelnyxLeg | undefined): leg is LiveLeg {
  return leg !== undefined && leg.callControlId !== null && leg.state !== 'ended' && !leg.isHungUp;
}

export function nameOf({ line: { connectionId } }: { line: VoiceLine }, { ledgerId, legRef }: TelnyxLeg): LegName {
  return { ledgerId, connectionId, legRef };
}

/** Codes of Telnyx for a call that has ended or does not exist. */
const ENDED = new Set(['90018', '90015']);
const NOT_ANSWERED = '90034';
/** Telnyx's code for a recording that was started before the leg has audio. */
const NO_AUDIO_YET = '90020';

/** True if a leg accepts no commands, because it has ended or is not answered yet. */
export function isGone(answer: Answer): boolean {
  return hasEnded(answer) || (answer.is === 'refused' && answer.errors.some(({ code }) => code === NOT_ANSWERED));
}

/** True if Telnyx says that the leg has ended, or no longer knows it. */
export function hasEnded(answer: Answer): boolean {
  if (answer.is !== 'refused') return false;
  return answer.status === 404 || answer.errors.some(({ code }) => ENDED.has(code));
}

/** Returns the outcome of a command to a leg. The client has logged the reason of a refusal. */
export function voiceOutcome(answer: Answer): VoiceOutcome {
  if (answer.is === 'answered') return ACCEPTED;
  if (isGone(answer)) return LEG_GONE;
  return answer.is === 'refused' ? NOT_SUPPORTED : outcomeOf(answer);
}

/** `name` distinguishes the requests of one command. */
type LegCommand = { readonly action: string; readonly name?: string; readonly body?: object };

/** Sends a command to a leg. */
export async function act({ line, id }: Work, leg: LiveLeg, { action, name, body = {} }: LegCommand): Promise<Answer> {
  return await line.client.ask({
    method: 'POST',
    path: `/calls/{ccid}/actions/${action}`,
    params: { ccid: leg.callControlId },
    body: { ...body, command_id: name === undefined ? id : `${id}-${name}` },
  });
}

/** The pauses before each new attempt of a command. Together they are less than a second. */
const AGAIN_MS = [250, 500] as const;

/**
 * Sends a command to a leg with `act`. Telnyx may report an answer shortly before the leg accepts commands. A refusal
 * for this reason must not end anything, so the command is sent again. Each attempt has a new name, because Telnyx
 * ignores a repeated name.
 */
export async function actOnceReady(work: Work, leg: LiveLeg, command: LegCommand): Promise<Answer> {
  let answer = await act(work, leg, command);
  for (const [index, pauseMs] of AGAIN_MS.entries()) {
    if (!isTooEarly(answer)) break;
    await sleep(pauseMs);
    answer = await act(work, leg, { ...command, name: `${command.name ?? command.action}-${index + 2}` });
  }
  return answer;
}

function isTooEarly(answer: Answer): boolean {
  if (answer.is !== 'refused') return false;
  return answer.errors.some(({ code }) => code === NOT_ANSWERED || code === NO_AUDIO_YET);
}

type Labelled = Pick<TelnyxLeg, 'ledgerId' | 'legRef' | 'recordingRef' | 'streamRef'>;

/**
 * Returns the label of a leg in Telnyx's form, base64. Telnyx repeats the label in its signed reports about the leg. So
 * a label in a report is one that we wrote.
 */
export function labelOf({ ledgerId, legRef, recordingRef, streamRef }: Labelled): string {
  const label = {
    g: ledgerId,
    l: legRef,
    ...(recordingRef && { r: recordingRef }),
    ...(streamRef && { s: streamRef }),
  };
  return Buffer.from(JSON.stringify(label)).toString('base64');
}
