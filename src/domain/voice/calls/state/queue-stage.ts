/** The stage of a call whose caller waits in a queue. */
import type { CallBehavior } from '../../../numbers/index.ts';

/** A target of a routing config that is not dialled, and the reason. */
export type RefusedTarget = {
  readonly target: string;
  readonly reason: 'destination_not_supported' | 'own_number';
};

/** The next behavior for a caller that no agent of the queue answers. */
export type QueueOverflow = {
  readonly behavior: CallBehavior;
  /** Its targets that may not be dialled. */
  readonly refused: readonly RefusedTarget[];
};

/** The settings of the queue when it counted the caller in. */
export type QueueSettings = {
  /** Absent in calls of earlier versions. */
  readonly name?: string;
  readonly ringMs: number;
  readonly maxWaitMs: number;
  /** Null if the caller is not told its position. */
  readonly announceMs: number | null;
  readonly callbackDigit: string | null;
  readonly overflow: QueueOverflow;
};

export type QueuedStage = {
  readonly name: 'queued';
  readonly queueId: string;
  /** When the caller came to the queue. */
  readonly sinceMs: number;
  /** Null until the queue has counted the caller in. */
  readonly settings: QueueSettings | null;
  /** True while agents ring for the caller. */
  readonly isOffered: boolean;
  /** The announcement of the caller's position; null while none is spoken. */
  readonly speechRef: string | null;
};

/** The decisions of a queue about a caller. A decision changes nothing if the caller no longer waits in the queue. */
export type QueueInput =
  /** The caller is counted in, or the queue is full. `position` is counted from 1. */
  | {
      readonly type: 'queue_admitted';
      readonly queueId: string;
      readonly position: number;
      readonly settings: QueueSettings;
    }
  | {
      readonly type: 'queue_full';
      readonly queueId: string;
      /** Null if the queue was deleted. */
      readonly position: number | null;
      readonly overflow: QueueOverflow;
    }
  /** The agents that ring. */
  | { readonly type: 'queue_offer'; readonly queueId: string; readonly agents: readonly string[] };
