/** Handles reports of the 10DLC registry. Each is a hint to look up the brand, campaign or number. */
import { textAt } from '../../../lib/json-object.ts';
import { readNumber } from '../../../lib/phone/party.ts';
import type { Translation } from '../../adapter.ts';
import { findNumberOwner } from '../../connections/owner-queries.ts';
import type { CarrierEvent } from '../../ports/carrier.ts';
import type { BrandReview } from '../../ports/registry.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findBrand } from './brands.ts';
import { findCampaign } from './campaigns.ts';
import { findRegistrationOwner } from './registration-queries.ts';
import { findAssignment } from './registry.ts';

const BRAND = '10dlc.brand.update';
const CAMPAIGN = '10dlc.campaign.update';
const NUMBER = '10dlc.phone_number.update';

const WAIT: Translation = { is: 'wait' };
const IGNORED: Translation = { is: 'ignored' };

/**
 * Returns a type for a registry report without an envelope. Some of Telnyx's pages show that form; real reports have an
 * envelope. A report about a number also names its campaign, and a report about a campaign its brand.
 */
export function nameFlatReport(report: unknown): { readonly type: string; readonly about: string } | undefined {
  const [number, campaign, brand] = ['phoneNumber', 'campaignId', 'brandId'].map((name) => textAt(report, name));
  if (number !== undefined) return { type: NUMBER, about: number };
  if (campaign !== undefined) return { type: CAMPAIGN, about: campaign };
  return brand === undefined ? undefined : { type: BRAND, about: brand };
}

/**
 * Looks up the object of a registry report. Without an answer from Telnyx there are no events: the product polls all
 * pending objects every five minutes anyway. Returns undefined for a report of another kind.
 */
export function translateRegistry(line: TelnyxLine, type: string, payload: unknown): Promise<Translation> | undefined {
  if (type === NUMBER) return translateNumber(line, payload);
  if (type === CAMPAIGN) {
    return translateReview(line, textAt(payload, 'campaignId'), async ({ ledger, ref }) => {
      const found = await findCampaign(line, ledger, ref);
      if (found.found !== 'accepted' || found.review.status === 'pending') return [];
      return [{ type: 'campaign.review', ref, review: found.review }];
    });
  }
  if (type !== BRAND) return undefined;
  return translateReview(line, textAt(payload, 'brandId'), async ({ ledger, ref }) => {
    const found = await findBrand(line, ledger, ref);
    if (found.found !== 'accepted' || isUndecided(found.review)) return [];
    return [{ type: 'brand.review', ref, review: found.review }];
  });
}

/** True for a review without a result yet. */
function isUndecided(review: BrandReview): boolean {
  return review.status === 'pending' && review.remedy === undefined;
}

type Owner = NonNullable<Awaited<ReturnType<typeof findRegistrationOwner>>>;

/** A report may arrive before the answer to the registration. Only that answer has Telnyx's id, so the report waits. */
async function translateReview(
  { db, connectionId }: TelnyxLine,
  carrierRef: string | undefined,
  look: (owner: Owner) => Promise<readonly CarrierEvent[]>,
): Promise<Translation> {
  if (carrierRef === undefined) return IGNORED;
  const owner = await findRegistrationOwner(db, { connectionId, carrierRef });
  if (owner === undefined) return WAIT;
  return { is: 'events', ledger: owner.ledger, events: await look(owner) };
}

async function translateNumber(line: TelnyxLine, payload: unknown): Promise<Translation> {
  const { db, connectionId } = line;
  const phoneNumber = readNumber(textAt(payload, 'phoneNumber') ?? textAt(payload, 'phone_number') ?? '');
  const ledger = phoneNumber === undefined ? undefined : await findNumberOwner(db, connectionId, phoneNumber);
  if (ledger === undefined || phoneNumber === undefined) return { is: 'foreign' };
  const found = await findAssignment(line, phoneNumber);
  const { campaignId: carrierRef } = found ?? {};
  const owner = carrierRef === undefined ? undefined : await findRegistrationOwner(db, { connectionId, carrierRef });
  const events: CarrierEvent[] = [];
  if (owner !== undefined) {
    const about = { phoneNumber, to: { kind: 'campaign', ref: owner.ref } } as const;
    if (found?.status === 'ASSIGNED') events.push({ type: 'number.assigned', ...about });
    if (found?.status === 'FAILED_ASSIGNMENT') {
      events.push({ type: 'number.assignment_failed', ...about, reason: found.reason });
    }
  }
  return { is: 'events', ledger, events };
}
