/**
 * The forms of a write. A write is one of:
 *
 * - an operation in one transaction;
 * - `prepare` and `commit`: a question to a carrier, then one transaction;
 * - `begin`, `ask` and `settle`: a transaction, a question to a carrier, a second transaction;
 * - `outside`: an operation that sends requests and stores nothing.
 *
 * The types refuse an object with fields of two forms.
 */
import type { Outcome } from '../../carriers/ports/outcome.ts';
import type { Tx } from '../../db/database.ts';
import type { ApiError } from '../../lib/errors/errors.ts';
import type { Scope } from '../../lib/scope.ts';

type PhaseName = 'prepare' | 'commit' | 'begin' | 'ask' | 'settle' | 'outside' | 'keepsSlot';

/** `Form` without the fields of every other form. */
type Only<Form> = Form & { readonly [Name in Exclude<PhaseName, keyof Form>]?: never };

export type PreparedPhases<Prepared, Result> = Only<{
  /**
   * Asks the carrier for the facts that the write needs. Runs outside a transaction, has no effect, and may run again.
   */
  prepare(): Promise<Prepared>;
  /** Checks the prepared facts and carries out the write. */
  commit(tx: Tx, prepared: Prepared): Promise<Result>;
}>;

/**
 * What a finishing job needs to store the missing reply of a claimed key. It is plain JSON, so that it fits into the
 * job's payload.
 */
export type PendingAnswer = {
  readonly scope: Scope;
  readonly key: string;
  readonly status: number;
  /** The id of the request that claimed the key, for an error reply. Jobs of version 0.1.0 and earlier lack it. */
  readonly requestId?: string;
};

/**
 * The end of an intent. A result is the reply. A refusal withdraws the intent and frees the key. A failure keeps the
 * intent, and the request and every repeat with its key get that failure as the answer.
 */
export type Settlement<Result> =
  | { readonly result: Result }
  | { readonly refusal: ApiError }
  | { readonly failure: ApiError };

/**
 * A write that waits for a carrier during the request. The first transaction commits the Idempotency-Key and the
 * intent. Then the carrier is asked, outside any transaction. The second transaction commits the outcome and the reply.
 *
 * A crash, or a failure of the second transaction, leaves the intent and the claimed key. So the first transaction also
 * stores a job. The job finishes the intent with the same `settle` and calls `answerPending`. A repeat then gets the
 * reply that the first caller never got, and the carrier does not get the request twice.
 */
export type TwoPhases<Intent, Accepted, Result, Refusal = object> = Only<{
  /**
   * First transaction. Makes every check, stores the intent, and stores the job that finishes it after a crash. The job
   * has `pending` in its payload (null without an Idempotency-Key).
   */
  begin(tx: Tx, pending: PendingAnswer | null): Promise<Intent>;
  /** Asks the carrier. If it throws, the finishing job settles the intent. */
  ask(intent: Intent): Promise<Outcome<Accepted, string, Refusal>>;
  /** Second transaction. Writes the outcome, and cancels the finishing job unless the outcome is `unknown`. */
  settle(tx: Tx, intent: Intent, outcome: Outcome<Accepted, string, Refusal>): Promise<Settlement<Result>>;
}>;

export type OutsidePhase<Result> = Only<{
  /** Sends requests and stores nothing. It needs no transaction and may run again after a crash. */
  outside(): Promise<Result>;
  /** If true, the write keeps its ledger's admission slot, because it works only on the database. */
  readonly keepsSlot?: true;
}>;

/** A form of a write. The function is a write in one transaction. */
export type Phases<Result, Prepared, Intent, Accepted, Refusal> =
  | ((tx: Tx) => Promise<Result>)
  | PreparedPhases<Prepared, Result>
  | TwoPhases<Intent, Accepted, Result, Refusal>
  | OutsidePhase<Result>;
