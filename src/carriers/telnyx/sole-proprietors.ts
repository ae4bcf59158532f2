/**
 * Sole proprietors in the registry. Telnyx texts them a code, and they are verified once the operator has entered it at
 * Telnyx. The API has no place for the code.
 */
import { textAt } from '../../lib/json-object.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { BrandRegistration, BrandReview } from '../ports/registry.ts';
import { conclude, isMissing } from './client.ts';
import type { TelnyxLine } from './line.ts';

/** The operation of a code in the book. */
const CODE = 'brand code';
const CODE_PATH = '/10dlc/brand/{brandId}/smsOtp';
/** Telnyx puts the code in place of the mark. */
const TEXTS = {
  pinSms: 'Your code for the registration of your business is @OTP_PIN@. It is valid for 24 hours.',
  successSms: 'Your business is verified. Thank you.',
};
/** Codes that never arrived, or came too late. */
const DEAD = new Set(['DELIVERY_FAILED', 'FAILED', 'EXPIRED']);

/** Returns how the registry names the person; undefined if the legal name is not a first and a last name. */
export function personOf({ legalName, phone }: BrandRegistration): object | undefined {
  const [firstName, ...others] = legalName.trim().split(/\s+/);
  return others.length === 0 ? undefined : { firstName, lastName: others.join(' '), mobilePhone: phone };
}

/**
 * Reads how far the verification of a registered sole proprietor is. Has Telnyx text the code, once. Undefined if
 * Telnyx does not say: then it is asked again.
 */
export async function readVerification(
  line: TelnyxLine,
  ledger: Ledger,
  { ref, brandId }: { ref: string; brandId: string },
): Promise<BrandReview | undefined> {
  const { client, book } = line;
  const params = { brandId };
  const sent = await client.ask({ method: 'GET', path: CODE_PATH, params });
  if (sent.is === 'answered') return readCode(sent.body, brandId);
  if (!isMissing(sent)) return undefined;
  await book.settle({ operation: CODE, ref }, { found: 'absent' });
  const made = await book.ask({ ledger, operation: CODE, ref }, async () =>
    conclude(await client.ask({ method: 'POST', path: CODE_PATH, params, body: TEXTS })),
  );
  if (made.outcome === 'accepted') return { status: 'pending', remedy: enter(brandId) };
  return made.outcome === 'rejected' ? { status: 'pending', remedy: sendAgain(brandId) } : undefined;
}

function readCode(code: unknown, brandId: string): BrandReview {
  // The registry calls the person verified soon after.
  if (textAt(code, 'verifyDate') !== undefined) return { status: 'pending' };
  const isDead = DEAD.has(textAt(code, 'deliveryStatus') ?? '');
  return { status: 'pending', remedy: isDead ? sendAgain(brandId) : enter(brandId) };
}

const enter = (brandId: string): string =>
  `Telnyx has texted a code to the phone of the brand. Have your operator enter it for brand ${brandId} within 24 hours.`;
const sendAgain = (brandId: string): string =>
  `Telnyx could not text a code to the phone of the brand. Have your operator send it again for brand ${brandId}.`;
