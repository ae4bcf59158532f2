/** Sole proprietors in the registry. Telnyx texts them a code. They are verified when the code is confirmed. */
import { textAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { BrandRegistration, BrandReview, BrandVerification } from '../../ports/registry.ts';
import { conclude, isMissing, outcomeOf } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';

/** The operation of sending a code, in the book of requests. */
const CODE = 'brand code';
const CODE_PATH = '/10dlc/brand/{brandId}/smsOtp';
/** Telnyx replaces the placeholder by the code. */
const TEXTS = {
  pinSms: 'Your code for the registration of your business is @OTP_PIN@. It is valid for 24 hours.',
  successSms: 'Your business is verified. Thank you.',
};
/** The states of a code that did not arrive or has expired. */
const DEAD = new Set(['DELIVERY_FAILED', 'FAILED', 'EXPIRED']);

/** Returns the person's name in the registry's form; undefined if the legal name is not a first and a last name. */
export function personOf({ legalName, phone }: BrandRegistration): object | undefined {
  const [firstName, ...others] = legalName.trim().split(/\s+/);
  return others.length === 0 ? undefined : { firstName, lastName: others.join(' '), mobilePhone: phone };
}

type Person = {
  /** Our id of the brand. */
  readonly ref: string;
  /** Telnyx's id of the brand. */
  readonly brandId: string;
};

/**
 * Reads the state of a registered sole proprietor's verification. Makes Telnyx text the code, at most once. Returns
 * undefined if Telnyx does not answer; the product then asks again.
 */
export async function readVerification(
  line: TelnyxLine,
  ledger: Ledger,
  { ref, brandId }: Person,
): Promise<BrandReview | undefined> {
  const { client, book } = line;
  const sent = await client.ask({ method: 'GET', path: CODE_PATH, params: { brandId } });
  if (sent.is === 'answered') return readCode(sent.body, ref);
  if (!isMissing(sent)) return undefined;
  await book.settle({ operation: CODE, ref }, { found: 'absent' });
  const made = await book.ask({ ledger, operation: CODE, ref }, async () => conclude(await triggerCode(line, brandId)));
  if (made.outcome === 'accepted') return { status: 'pending', remedy: confirm(ref) };
  return made.outcome === 'rejected' ? { status: 'pending', remedy: sendAgain(ref) } : undefined;
}

function readCode(code: unknown, ref: string): BrandReview {
  // The person has given the right code. The registry verifies the brand soon after that.
  if (textAt(code, 'verifyDate') !== undefined) return { status: 'pending' };
  const isDead = DEAD.has(textAt(code, 'deliveryStatus') ?? '');
  return { status: 'pending', remedy: isDead ? sendAgain(ref) : confirm(ref) };
}

const triggerCode = ({ client }: TelnyxLine, brandId: string) =>
  client.ask({ method: 'POST', path: CODE_PATH, params: { brandId }, body: TEXTS });

/** Makes Telnyx text another code. */
export async function sendCode(line: TelnyxLine, { ref, brandId }: Person): Promise<Outcome<BrandVerification>> {
  const sent = conclude(await triggerCode(line, brandId));
  return sent.outcome === 'accepted' ? { ...sent, review: { status: 'pending', remedy: confirm(ref) } } : sent;
}

/**
 * Confirms a code. Telnyx refuses a code that it has accepted before. So after a refusal the state of the code is read.
 */
export async function confirmCode(line: TelnyxLine, brandId: string, otpPin: string): Promise<Outcome<object>> {
  const params = { brandId };
  const answer = await line.client.ask({ method: 'PUT', path: CODE_PATH, params, body: { otpPin } });
  if (answer.is === 'answered') return { outcome: 'accepted' };
  if (answer.is !== 'refused') return outcomeOf(answer);
  const sent = await line.client.ask({ method: 'GET', path: CODE_PATH, params });
  if (sent.is === 'answered' && textAt(sent.body, 'verifyDate') !== undefined) return { outcome: 'accepted' };
  return { outcome: 'rejected', reason: 'wrong_code' };
}

const confirm = (ref: string): string =>
  `Telnyx has texted a code to the phone of the brand. Confirm it within 24 hours: POST /v1/brands/${ref}/verification/confirm.`;
const sendAgain = (ref: string): string =>
  `The code did not reach the phone of the brand, or has expired. Send another one: POST /v1/brands/${ref}/verification/resend.`;
