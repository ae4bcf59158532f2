/** The state of a call's transfer. */
import type { CallEventFields } from '../../../events/index.ts';
import type { VoicemailBehavior } from '../../../numbers/index.ts';

export const TRANSFER_MODES = ['announce', 'consult'] as const;
export const TRANSFER_FALLBACKS = ['return', 'voicemail', 'hangup'] as const;

/** The API's request to transfer to a leg. Times are milliseconds. */
export type WantedTransfer = {
  /** E.164, or a web client's id. */
  readonly to: string;
  readonly announcement: string | null;
  readonly ringMs: number;
  readonly onNoAnswer: (typeof TRANSFER_FALLBACKS)[number];
  readonly voicemail: VoicemailBehavior;
  /** True if the agent talks to the new party before the customer is connected. Absent in calls of earlier versions. */
  readonly consults?: boolean;
};

/** A transfer that is not over: it has neither succeeded nor failed. */
export type Transfer = WantedTransfer & {
  readonly legId: string;
  /** The announcement that is spoken to the new agent; null while the leg rings. */
  readonly speechRef: string | null;
  /** True while the agent and the new agent talk to each other and the customer is on hold. */
  readonly isConsulting?: boolean;
  /** The hold audio of the customer. */
  readonly audioRef?: string | null;
};

/** Why a transfer fails. */
export type TransferFailure = NonNullable<CallEventFields['call.transfer.failed']['reason']>;
/** The reason, and `atMs`, which distinguishes the transfer from other transfers of the call. */
export type FailedTransfer = { readonly reason: TransferFailure; readonly atMs: number };
