/**
 * The registration of brands and campaigns with the carriers' registry. Both are stored first, with a job that
 * completes the registration. Then the registry is asked, within the request if it answers in time. Its decision
 * arrives later as a carrier event, or is found by the job, which polls every five minutes.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Found, Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { PendingAnswer, TwoPhases } from '../../../http/writes/phases.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';

/**
 * Delay before the job continues a registration that its request did not finish: longer than the timeout of a carrier.
 */
const FINISH_MS = 30_000;
/** Time between two polls of a registration that is not decided. */
export const POLL_MS = 300_000;

/** A registration that is not decided. */
export type OpenRegistration = {
  /** The connection that it began with. */
  readonly connectionId: ConnectionId;
  /** Submits it to the registry. */
  create(registry: RegistryPort): Promise<Outcome<Registered>>;
};

/** How one kind of resource is registered. `Review` is the registry's decision, `ref` its name for the registration. */
export type Registration<Review extends { readonly status: string }> = {
  /** The kind of its job. */
  readonly kind: string;
  /** Returns the reply to the request, and the registration if it is still open. */
  load(
    db: Db,
    ledger: Ledger,
    ref: string,
  ): Promise<{ readonly reply: object; readonly open: OpenRegistration | null } | undefined>;
  find(registry: RegistryPort, ledger: Ledger, ref: string): Promise<Found<Registered & { readonly review: Review }>>;
  /** Records that the registry has accepted it. A repeated call changes nothing. */
  accept(tx: Tx, ledger: Ledger, ref: string, carrierRef: string): Promise<void>;
  /** Records that the registry has refused it. */
  refuse(tx: Tx, ledger: Ledger, ref: string, reason: string): Promise<void>;
  /** Applies the registry's decision. A late or repeated decision changes nothing. */
  review(tx: Tx, ledger: Ledger, ref: string, review: Review): Promise<unknown>;
};

/** `id` is the `ref`; `pending` the reply still to be stored for an Idempotency-Key, or null. */
export type RegistrationPayload = {
  readonly ledger: Ledger;
  readonly id: string;
  readonly pending: PendingAnswer | null;
};

type JobOptions = { id: string; pending?: PendingAnswer | null; delayMs?: number };

/** Returns the job that completes a registration. */
function registrationJob(
  kind: string,
  { ledgerId, accountId, mode }: Ledger,
  { id, pending = null, delayMs = FINISH_MS }: JobOptions,
): NewJob {
  const payload: RegistrationPayload = { ledger: { ledgerId, accountId, mode }, id, pending };
  return { ledgerId, queue: 'default', kind, id: `${kind}:${id}`, payload, delayMs };
}

/** The result of the first transaction: the row as the reply shows it, even if the registry has decided since. */
export type RegistrationIntent<Row> = { readonly row: Row; readonly ref: string; readonly registry: RegistryPort };

/** Returns the steps of a write that ends with a registration. A write that is stored is never refused. */
export function registrationSteps<Row, Review extends { readonly status: string }>(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  registration: Registration<Review>,
  begin: (tx: Tx) => Promise<RegistrationIntent<Row>>,
): TwoPhases<RegistrationIntent<Row>, Registered, Row> {
  return {
    begin: async (tx, pending) => {
      const intent = await begin(tx);
      await enqueue(tx, [registrationJob(registration.kind, scope, { id: intent.ref, pending })]);
      return intent;
    },
    ask: async ({ ref, registry }) => {
      const loaded = await registration.load(db, scope, ref);
      return loaded?.open?.create(registry) ?? { outcome: 'unknown' };
    },
    settle: async (tx, { row, ref }, outcome) => {
      await settleInRequest(tx, registration, { ledger: scope, id: ref }, outcome);
      return { result: row };
    },
  };
}

/** Writes the registry's answer. Without a clear answer the job remains and asks again. */
async function settleInRequest<Review extends { readonly status: string }>(
  tx: Tx,
  registration: Registration<Review>,
  { ledger, id }: { ledger: Ledger; id: string },
  outcome: Outcome<Registered>,
): Promise<void> {
  if (outcome.outcome === 'unknown' || outcome.outcome === 'unavailable') return;
  if (outcome.outcome === 'accepted') await registration.accept(tx, ledger, id, outcome.carrierRef);
  else await registration.refuse(tx, ledger, id, outcome.reason);
  const { kind } = registration;
  await cancelJobs(tx, ledger.ledgerId, [`${kind}:${id}`]);
  if (outcome.outcome === 'accepted' && isPolled(ledger)) {
    await enqueue(tx, [registrationJob(kind, ledger, { id, delayMs: POLL_MS })]);
  }
}

/**
 * Only live registrations are polled: the simulated registry always reports, and a test clock moved by a year would
 * stop at every poll.
 */
export function isPolled({ mode }: Ledger): boolean {
  return mode === 'live';
}
