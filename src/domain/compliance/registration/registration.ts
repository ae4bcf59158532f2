/**
 * What brands and campaigns have in common on their way into the carriers' registry. Both are stored first, with a job
 * that sees the registration through; then the registry is asked, within the request where it answers in time. Its
 * verdict comes as a carrier event, whenever it likes, or is found by the job, which looks every five minutes.
 */
import type { Found, Outcome, Registered } from '../../../carriers/ports/outcome.ts';
import type { RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { PendingAnswer, TwoPhases } from '../../../http/writes/phases.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';

/** Until the job takes a registration up whose request did not finish it: longer than a carrier is waited for. */
export const FINISH_MS = 30_000;
/** Between two looks at a registration that is being decided on. */
export const POLL_MS = 300_000;

/** A registration that is not decided. */
export type OpenRegistration = {
  /** Hands it in. */
  create(registry: RegistryPort): Promise<Outcome<Registered>>;
};

/** How one kind of thing is registered. `Review` is what the registry says of it. */
export type Registration<Review extends { readonly status: string }> = {
  /** Kind of its job. */
  readonly kind: string;
  /** What is stored, as the reply that was owed shows it, and whether the registry still has a word to say. */
  load(
    db: Db,
    ledger: Ledger,
    id: string,
  ): Promise<{ readonly reply: object; readonly open: OpenRegistration | null } | undefined>;
  find(registry: RegistryPort, ledger: Ledger, id: string): Promise<Found<Registered & { readonly review: Review }>>;
  /** The registry has taken it. Said again, it changes nothing. */
  accept(tx: Tx, ledger: Ledger, id: string, carrierRef: string): Promise<void>;
  /** The registry will not have it. */
  refuse(tx: Tx, ledger: Ledger, id: string, reason: string): Promise<void>;
  /** The registry has decided. A decision that comes late or twice changes nothing. */
  review(tx: Tx, ledger: Ledger, id: string, review: Review): Promise<unknown>;
};

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type RegistrationPayload = {
  readonly ledger: Ledger;
  readonly id: string;
  readonly pending: PendingAnswer | null;
};

type JobOptions = { id: string; pending?: PendingAnswer | null; delayMs?: number };

/** The job that sees a registration through. */
export function registrationJob(
  kind: string,
  { ledgerId, accountId, mode }: Ledger,
  { id, pending = null, delayMs = FINISH_MS }: JobOptions,
): NewJob {
  const payload: RegistrationPayload = { ledger: { ledgerId, accountId, mode }, id, pending };
  return { ledgerId, queue: 'default', kind, id: `${kind}:${id}`, payload, delayMs };
}

/** What the first transaction leaves behind: the row as it is replied, whatever the registry says meanwhile. */
export type RegistrationIntent<Row> = { readonly row: Row; readonly registry: RegistryPort };

/** The steps of a write that ends with a registration. It is never refused once it is stored. */
export function registrationSteps<Row extends { readonly id: string }, Review extends { readonly status: string }>(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  registration: Registration<Review>,
  begin: (tx: Tx) => Promise<RegistrationIntent<Row>>,
): TwoPhases<RegistrationIntent<Row>, Registered, Row> {
  return {
    begin: async (tx, pending) => {
      const intent = await begin(tx);
      await enqueue(tx, [registrationJob(registration.kind, scope, { id: intent.row.id, pending })]);
      return intent;
    },
    ask: async ({ row, registry }) => {
      const loaded = await registration.load(db, scope, row.id);
      return loaded?.open?.create(registry) ?? { outcome: 'unknown' };
    },
    settle: async (tx, { row }, outcome) => {
      await settleInRequest(tx, registration, { ledger: scope, id: row.id }, outcome);
      return { result: row };
    },
  };
}

/** Writes what the registry answered. Without a clear answer the job is left to ask again. */
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

/** The simulated registry always reports by itself; and a clock moved by a year would stop for every look. */
export function isPolled({ mode }: Ledger): boolean {
  return mode === 'live';
}
