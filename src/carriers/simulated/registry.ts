import type { Database } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { CarrierEventSink } from '../ports/carrier.ts';
import type { Found, Registered } from '../ports/outcome.ts';
import type { BrandReview, CampaignReview, EntityType, RegistryPort, Throughput } from '../ports/registry.ts';
import { useFaults } from './fault-queries.ts';
import {
  decideRegistration,
  deleteAssignment,
  findRegistration,
  insertRegistration,
  putAssignment,
  type RegistrationRow,
  readReviewMode,
} from './registry-queries.ts';

/** The throughput of an approved campaign, by the entity type of its brand. */
const GRANTS: Readonly<Record<EntityType, Throughput>> = {
  sole_proprietor: { messagesPerMinute: 15, dailyCap: 1_000 },
  private_company: { messagesPerMinute: 240, dailyCap: 2_000 },
  non_profit: { messagesPerMinute: 240, dailyCap: 2_000 },
  public_company: { messagesPerMinute: 4_500, dailyCap: 200_000 },
};

const NO_REASON = 'No reason was given.';

/** The code that verifies every brand of a sole proprietor. */
const TEST_CODE = '123456';
const CODE_REMEDY = `No text is sent in test mode: the code is ${TEST_CODE}. Confirm it, or decide by a review.`;
const NO_CODE = { outcome: 'rejected', reason: 'The registry has no such brand of a sole proprietor.' } as const;

/**
 * The 10DLC registry of test mode. Before it answers `accepted` it reports the approval, unless the ledger's review
 * mode is `manual`. Assignments to a stored campaign always succeed, except with the fault `assign_failed`.
 */
export function createSimulatedRegistry({ db, sink }: { db: Database; sink: CarrierEventSink }): RegistryPort {
  const register = async (ledger: Ledger, ref: string, entityType: EntityType) => {
    const status = (await readReviewMode(db, ledger)) === 'auto' ? 'approved' : 'pending';
    return insertRegistration(db, ledger, { ref, entityType, status });
  };
  return {
    createBrand: async (ledger, { ref, entityType }) => {
      const review = brandReview(await register(ledger, ref, entityType));
      if (review.status !== 'pending' || review.remedy !== undefined)
        await sink(ledger, [{ type: 'brand.review', ref, review }]);
      return { outcome: 'accepted', carrierRef: ref };
    },
    findBrand: async (ledger, ref) => found(ref, await findRegistration(db, ledger, ref), brandReview),
    sendBrandCode: async (ledger, ref) => {
      const row = await findRegistration(db, ledger, ref);
      return row?.entity_type === 'sole_proprietor' ? { outcome: 'accepted', review: brandReview(row) } : NO_CODE;
    },
    confirmBrandCode: async (ledger, { ref, code }) => {
      const row = await findRegistration(db, ledger, ref);
      if (row?.entity_type !== 'sole_proprietor') return NO_CODE;
      if (code !== TEST_CODE) return { outcome: 'rejected', reason: 'wrong_code' };
      if (row.status !== 'pending') return { outcome: 'accepted', review: brandReview(row) };
      await decideRegistration(db, ledger, { ref, status: 'approved', reason: null });
      return { outcome: 'accepted', review: { status: 'approved' } };
    },
    createCampaign: async (ledger, { ref, brandRef }) => {
      const brand = await findRegistration(db, ledger, brandRef);
      if (brand === undefined) return { outcome: 'rejected', reason: 'The registry has no such brand.' };
      const review = campaignReview(await register(ledger, ref, brand.entity_type));
      if (review.status !== 'pending') await sink(ledger, [{ type: 'campaign.review', ref, review }]);
      return { outcome: 'accepted', carrierRef: ref };
    },
    findCampaign: async (ledger, ref) => found(ref, await findRegistration(db, ledger, ref), campaignReview),
    endCampaign: async (ledger, { ref }) => {
      await decideRegistration(db, ledger, { ref, status: 'ended', reason: null });
      return { outcome: 'accepted' };
    },
    assignNumber: async (ledger, assignment) => {
      const faults = await useFaults(db, ledger.ledgerId, ['assign_failed']);
      const isAssigned = faults.size === 0 && (await putAssignment(db, ledger, assignment));
      return isAssigned ? { outcome: 'accepted' } : { outcome: 'rejected', reason: 'assign_failed' };
    },
    unassignNumber: async (ledger, phoneNumber) => {
      await deleteAssignment(db, ledger, phoneNumber);
      return { outcome: 'accepted' };
    },
  };
}

function found<Review>(
  carrierRef: string,
  row: RegistrationRow | undefined,
  read: (row: RegistrationRow) => Review,
): Found<Registered & { readonly review: Review }> {
  return row === undefined ? { found: 'absent' } : { found: 'accepted', carrierRef, review: read(row) };
}

/** Returns the review that is reported for a stored brand. */
export function brandReview({ status, reason, entity_type }: RegistrationRow): BrandReview {
  if (status === 'rejected') return { status, reason: reason ?? NO_REASON };
  if (status === 'approved') return { status };
  return { status: 'pending', ...(entity_type === 'sole_proprietor' && { remedy: CODE_REMEDY }) };
}

/** Returns the review that is reported for a stored campaign. */
export function campaignReview({ status, reason, entity_type }: RegistrationRow): CampaignReview {
  if (status === 'approved') return { status, throughput: GRANTS[entity_type] };
  if (status === 'rejected' || status === 'suspended') return { status, reason: reason ?? NO_REASON };
  return { status: 'pending' };
}
