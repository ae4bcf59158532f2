/**
 * The verification of a sole proprietor: the registry texts a code to the phone of the brand, and the person who has
 * the phone gives it back. Codes are sent at most once a minute, because the phone may be a stranger's. After ten wrong
 * codes another one must be sent, because a code has few digits.
 */
import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { BrandVerification, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, Settlement, TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { getBrand } from './get-brand.ts';
import { findBrand } from './queries.ts';
import { reviewBrand } from './review-brand.ts';
import { CODE_ATTEMPTS_MAX } from './rules.ts';
import type { Brand } from './schema.ts';
import {
  addAttempt,
  type CodeState,
  lockCodeState,
  startSending,
  undoAttempt,
  undoSending,
} from './verification-queries.ts';

export const VERIFICATION_JOB = 'brand.verification';
/** Delay before the job finishes a write after a crash: longer than the timeout of a carrier. */
const FINISH_MS = 30_000;
const RETRY_AFTER_S = 5;

/** `pending`: the reply owed for an Idempotency-Key, or null. */
export type VerificationPayload = {
  readonly ledger: Ledger;
  readonly id: string;
  readonly pending: PendingAnswer | null;
};

type Intent = { readonly registry: RegistryPort; readonly jobId: string };
type Steps = TwoPhases<Intent, BrandVerification, Brand>;
type VerificationContext = Pick<Context, 'carriers'>;

/** The differences between sending a code and confirming one. */
type Step = {
  /** Records that the registry is about to be asked; throws if that happens too often. */
  begin(tx: Tx, state: CodeState): Promise<void>;
  ask(registry: RegistryPort): Promise<Outcome<BrandVerification>>;
  /** Reverts the records of `begin`: the registry did nothing. */
  undo(tx: Tx): Promise<void>;
  refusalFor(reason: string): ApiError;
};

/**
 * Returns the steps of sending a code again. Errors: brand_not_found, tenant_restricted_key, key_not_permitted,
 * carrier_unavailable, review_not_pending, rate_limited.
 */
export function resendCode(context: VerificationContext, scope: Scope, id: string): Steps {
  return verificationSteps(context, scope, id, {
    begin: async (tx, { waitS }) => {
      if (waitS > 0) {
        const message = 'A code was sent to the phone of this brand less than a minute ago.';
        throw new ApiError('rate_limited', { message, retryAfterS: waitS });
      }
      await startSending(tx, scope, id);
    },
    ask: (registry) => registry.sendBrandCode(scope, id),
    undo: (tx) => undoSending(tx, scope, id),
    refusalFor: (reason) => new ApiError('review_not_pending', { message: `The registry sends no code: ${reason}` }),
  });
}

/**
 * Returns the steps of confirming a code. Errors: brand_not_found, tenant_restricted_key, key_not_permitted,
 * carrier_unavailable, review_not_pending, verification_code_invalid.
 */
export function confirmCode(context: VerificationContext, scope: Scope, id: string, code: string): Steps {
  return verificationSteps(context, scope, id, {
    begin: async (tx, { attempts }) => {
      if (attempts >= CODE_ATTEMPTS_MAX) {
        const message = `${CODE_ATTEMPTS_MAX} codes were tried. Send another code to the phone of the brand.`;
        throw new ApiError('verification_code_invalid', { param: 'code', message });
      }
      await addAttempt(tx, scope, id);
    },
    ask: (registry) => registry.confirmBrandCode(scope, { ref: id, code }),
    undo: (tx) => undoAttempt(tx, scope, id),
    refusalFor: () => new ApiError('verification_code_invalid', { param: 'code' }),
  });
}

function verificationSteps({ carriers }: VerificationContext, scope: Scope, id: string, step: Step): Steps {
  return {
    begin: async (tx, pending) => {
      await getBrand(tx, scope, id);
      const state = await lockCodeState(tx, scope, id);
      if (!state.isAwaited) {
        const message = 'Only the brand of a sole proprietor that waits for its code is verified by one.';
        throw new ApiError('review_not_pending', { message });
      }
      const registry = carriers.registry(scope, state.connectionId);
      await step.begin(tx, state);
      const { ledgerId, accountId, mode } = scope;
      const payload: VerificationPayload = { ledger: { ledgerId, accountId, mode }, id, pending };
      const jobId = newId('job');
      await enqueue(tx, [
        { ledgerId, queue: 'default', kind: VERIFICATION_JOB, id: jobId, payload, delayMs: FINISH_MS },
      ]);
      return { registry, jobId };
    },
    ask: ({ registry }) => step.ask(registry),
    settle: async (tx, { jobId }, outcome) => {
      // A repeat is safe: the registry accepts an accepted code again, and of two sent codes the newer one counts.
      await cancelJobs(tx, scope.ledgerId, [jobId]);
      if (outcome.outcome === 'accepted') return recordVerification(tx, scope, id, outcome);
      if (outcome.outcome === 'rejected') return { refusal: step.refusalFor(outcome.reason) };
      if (outcome.outcome === 'unavailable') await step.undo(tx);
      const retryAfterMs = outcome.outcome === 'unavailable' ? outcome.retryAfterMs : undefined;
      return { refusal: unavailable(retryAfterMs) };
    },
  };
}

/** Writes the state of a brand. Returns the brand as the reply. */
export async function recordVerification(
  tx: Tx,
  ledger: Ledger,
  id: string,
  { review }: BrandVerification,
): Promise<Settlement<Brand>> {
  await reviewBrand(tx, ledger, id, review);
  const brand = await findBrand(tx, ledger, id);
  return brand === undefined ? { refusal: new ApiError('brand_not_found') } : { result: brand };
}

export function unavailable(retryAfterMs?: number): ApiError {
  const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('carrier_unavailable', { retryAfterS });
}
