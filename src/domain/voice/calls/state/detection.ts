/** The part of a call's state about the detection of answering machines. Only calls that are placed have it. */
import type { AnswerKind } from '../../../../carriers/ports/voice.ts';

export const MACHINE_ACTIONS = ['continue', 'hangup', 'leave_message'] as const;

/** The message that a machine gets. */
type MachineMessage = { readonly text: string } | { readonly audioRef: string };

/** The detection of answering machines on a placed call. */
export type Detection = {
  readonly onMachine: (typeof MACHINE_ACTIONS)[number];
  /** Null unless a message is to be left. */
  readonly message: MachineMessage | null;
  /** Null until the carrier has reported who answered. */
  readonly kind: AnswerKind | null;
  readonly greetingEnded: boolean;
  /** The gateway's request for the customer's voice; absent if the carrier detects machines. */
  readonly hearing?: Hearing;
};

/** The request for the customer's voice, which the gateway's detector receives. It ends with the last finding. */
type Hearing = {
  /** The name of the request at the carrier; null while no request is open. */
  readonly streamRef: string | null;
  /** How many times the voice was requested. */
  readonly requests: number;
  /** The time of the answer; null before. */
  readonly answeredMs: number | null;
  /** True if the detector receives the audio of the call, because the carrier sends the audio of a leg only once. */
  readonly isShared?: true;
};

/** The state of a detection by the gateway before its first request. */
export const UNHEARD: Hearing = { streamRef: null, requests: 0, answeredMs: null };
