/** 10DLC brands at Telnyx. */
import { listAt, textAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Found, Outcome, Registered } from '../../ports/outcome.ts';
import type { BrandRegistration, BrandReview, BrandVerification, EntityType } from '../../ports/registry.ts';
import { isMissing, reasonOf } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { findRegistered, register, searchRecords } from './registrations.ts';
import { confirmCode, personOf, readVerification, sendCode } from './sole-proprietors.ts';

const BRAND = 'brand';
/** The part of a brand's report address that comes before our id. */
const BRAND_PATH = '/brands/';

/** The states of a brand that the registry has verified. */
const VETTED = new Set(['VERIFIED', 'VETTED_VERIFIED']);
/**
 * The states of a brand that the registry has not verified. Telnyx's types lack PENDING; its page on sole proprietors
 * has it.
 */
const UNVETTED = new Set(['UNVERIFIED', 'SELF_DECLARED', 'PENDING']);
const UNKNOWN_IDENTITY = 'the identity of a brand is not known here; the brand stays pending';

const SOLE_PROPRIETOR = 'SOLE_PROPRIETOR';
type Registrable = 'PRIVATE_PROFIT' | 'NON_PROFIT' | typeof SOLE_PROPRIETOR;
/**
 * Telnyx's name of the entity type. If the API's fields are not enough to register a brand of the type, the refusal
 * instead.
 */
const ENTITY_TYPES: Readonly<Record<EntityType, Registrable | { readonly refusal: string }>> = {
  private_company: 'PRIVATE_PROFIT',
  non_profit: 'NON_PROFIT',
  public_company: {
    refusal: 'Telnyx asks public companies for a stock exchange and symbol, which a brand does not have here.',
  },
  sole_proprietor: SOLE_PROPRIETOR,
};

const NO_PERSON = 'Give the first and the last name of a sole proprietor as the legal name.';

/** Registers a brand. @param vertical the branch of business, in Telnyx's words */
export function createBrand(
  line: TelnyxLine,
  ledger: Ledger,
  { brand, vertical }: { brand: BrandRegistration; vertical: string },
): Promise<Outcome<Registered>> {
  const entityType = ENTITY_TYPES[brand.entityType];
  if (typeof entityType !== 'string') return Promise.resolve({ outcome: 'rejected', reason: entityType.refusal });
  const { ref, legalName, website, ein } = brand;
  const displayName = brand.dba ?? legalName;
  const registered = entityType === SOLE_PROPRIETOR ? personOf(brand) : { companyName: legalName, ein };
  if (registered === undefined) return Promise.resolve({ outcome: 'rejected', reason: NO_PERSON });
  const body = {
    entityType,
    displayName,
    ...registered,
    email: brand.contactEmail,
    phone: brand.phone,
    street: brand.street,
    city: brand.city,
    state: brand.state,
    postalCode: brand.postalCode,
    country: 'US',
    vertical,
    ...(website !== null && { website }),
    webhookURL: `${line.reportUrl}${BRAND_PATH}${ref}`,
  };
  return register(line, ledger, {
    operation: BRAND,
    ref,
    foundUnder: displayName,
    send: () => line.client.ask({ method: 'POST', path: '/10dlc/brand', body }),
    idOf: (answer) => textAt(answer, 'brandId'),
    reasonOf,
  });
}

/** Finds a brand, with its review. */
export async function findBrand(
  line: TelnyxLine,
  ledger: Ledger,
  ref: string,
): Promise<Found<Registered & { readonly review: BrandReview }>> {
  const registered = await findBrandId(line, ledger, ref);
  if (registered.found !== 'accepted') return registered;
  const { carrierRef } = registered;
  const answer = await askBrand(line, carrierRef);
  if (isMissing(answer)) return { found: 'absent' };
  if (answer.is !== 'answered') return { found: 'undecided' };
  const review = await readReview(line, ledger, { ref, brand: answer.body });
  return review === undefined ? { found: 'undecided' } : { found: 'accepted', carrierRef, review };
}

function findBrandId(line: TelnyxLine, ledger: Ledger, ref: string): Promise<Found<Registered>> {
  const search = (displayName: string) => searchBrand(line, displayName, ref);
  return findRegistered(line, ledger, { operation: BRAND, ref, search });
}

/** Texts another code to a sole proprietor. */
export async function sendBrandCode(
  line: TelnyxLine,
  ledger: Ledger,
  ref: string,
): Promise<Outcome<BrandVerification>> {
  const registered = await findBrandId(line, ledger, ref);
  if (registered.found !== 'accepted') return { outcome: 'unavailable' };
  return await sendCode(line, { ref, brandId: registered.carrierRef });
}

/** Confirms a code of a sole proprietor, and reads the brand's state after it. */
export async function confirmBrandCode(
  line: TelnyxLine,
  ledger: Ledger,
  { ref, code }: { ref: string; code: string },
): Promise<Outcome<BrandVerification>> {
  const registered = await findBrandId(line, ledger, ref);
  if (registered.found !== 'accepted') return { outcome: 'unavailable' };
  const brandId = registered.carrierRef;
  const confirmed = await confirmCode(line, brandId, code);
  if (confirmed.outcome !== 'accepted') return confirmed;
  const answer = await askBrand(line, brandId);
  const review = answer.is === 'answered' ? await readReview(line, ledger, { ref, brand: answer.body }) : undefined;
  return { outcome: 'accepted', review: review ?? { status: 'pending' } };
}

/** True if Telnyx's data shows that the brand is a person. */
export function isSoleProprietor(brand: unknown): boolean {
  return textAt(brand, 'entityType') === SOLE_PROPRIETOR;
}

export const askBrand = ({ client }: TelnyxLine, brandId: string) =>
  client.ask({ method: 'GET', path: '/10dlc/brand/{brandId}', params: { brandId } });

/** Looks for a brand by its name. The record of a brand has the address of its reports, which contains our id. */
function searchBrand(line: TelnyxLine, displayName: string, ref: string): Promise<Found<Registered>> {
  return searchRecords(line, {
    path: '/10dlc/brand',
    filter: ['displayName', displayName],
    idField: 'brandId',
    ask: (brandId) => askBrand(line, brandId),
    isOurs: (brand) => textAt(brand, 'webhookURL')?.endsWith(`${BRAND_PATH}${ref}`) === true,
  });
}

/**
 * Reads the state of a brand. Returns undefined if Telnyx does not answer a query about it. The product then asks it
 * again.
 */
async function readReview(
  line: TelnyxLine,
  ledger: Ledger,
  { ref, brand }: { ref: string; brand: unknown },
): Promise<BrandReview | undefined> {
  const status = textAt(brand, 'status');
  if (status === 'REGISTRATION_FAILED') {
    return { status: 'rejected', reason: textAt(brand, 'failureReasons') ?? 'The registry has refused the brand.' };
  }
  const identity = textAt(brand, 'identityStatus');
  if (status !== 'OK' || identity === undefined) return { status: 'pending' };
  const brandId = textAt(brand, 'brandId') ?? '';
  if (VETTED.has(identity)) return { status: 'approved' };
  if (!UNVETTED.has(identity)) {
    line.log.warn({ connection: line.connectionId, brand: ref, identity }, UNKNOWN_IDENTITY);
    return { status: 'pending' };
  }
  if (isSoleProprietor(brand)) return await readVerification(line, ledger, { ref, brandId });
  if (identity !== 'UNVERIFIED') return { status: 'pending' };
  const params = { brandId };
  const feedback = await line.client.ask({ method: 'GET', path: '/10dlc/brand/feedback/{brandId}', params });
  if (feedback.is !== 'answered') return undefined;
  const said = listAt(feedback.body, 'category').flatMap((category) => textAt(category, 'description') ?? []);
  return { status: 'rejected', reason: said.join(' ') || 'The business could not be verified.' };
}
