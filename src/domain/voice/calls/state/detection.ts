/** The detection of answering machines on a call that was placed, as a part of the call's state. */
import type { AnswerKind } from '../../../../carriers/ports/voice.ts';

export const MACHINE_ACTIONS = ['continue', 'hangup', 'leave_message'] as const;

/** The message that a machine gets. */
type MachineMessage = { readonly text: string } | { readonly audioRef: string };

/** The detection of answering machines on a call that was placed. */
export type Detection = {
  readonly onMachine: (typeof MACHINE_ACTIONS)[number];
  /** Null unless a message is to be left. */
  readonly message: MachineMessage | null;
  /** Null until the carrier has reported who answered. */
  readonly kind: AnswerKind | null;
  readonly greetingEnded: boolean;
};
