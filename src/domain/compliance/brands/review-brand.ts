import type { BrandReview } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { moveBrand, setRemedy } from './queries.ts';
import { brandStateOf } from './rules.ts';
import type { Brand } from './schema.ts';

/**
 * Applies a decision of the registry to a brand: sets status and reason, and emits brand.status_changed. Returns the
 * changed brand, or undefined if the status stays (no decision yet, late, repeated, unknown brand). The reason of a
 * pending brand is the action that the registry waits for.
 */
export async function reviewBrand(tx: Tx, ledger: Ledger, id: string, review: BrandReview): Promise<Brand | undefined> {
  const to = brandStateOf(review.status);
  if (review.status === 'pending') await setRemedy(tx, ledger, id, review.remedy ?? null);
  if (to === null) return undefined;
  const moved = await moveBrand(tx, ledger, { id, to, reason: review.status === 'rejected' ? review.reason : null });
  if (moved === undefined) return undefined;
  const { brand, previousStatus } = moved;
  await emitEvent(tx, ledger.ledgerId, {
    type: 'brand.status_changed',
    tenantId: brand.tenant_id,
    resourceId: brand.id,
    data: { ...brand, previous_status: previousStatus },
  });
  return brand;
}
