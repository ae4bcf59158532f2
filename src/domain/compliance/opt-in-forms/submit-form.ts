import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type PublicForm, submit } from './queries.ts';
import { readPhoneNumber, USER_AGENT_CHARS_MAX } from './rules.ts';
import type { OptInSubmission } from './schema.ts';

/** What the visitor entered: the number as typed, undefined if there was none, and whether the box was ticked. */
export type Entry = { readonly phoneNumber: string | undefined; readonly consent: boolean };

export type Visitor = { readonly ipAddress: string; readonly userAgent: string | undefined };

/** The errors of an entry, by field. */
export type EntryErrors = { phone_number?: ApiError; consent?: ApiError };

/** Returns the entered number in E.164, or the errors (missing_fields, invalid_phone, missing_consent). */
export function checkEntry({ phoneNumber, consent }: Entry): { number: string } | { errors: EntryErrors } {
  const number = readPhoneNumber(phoneNumber ?? '');
  const errors: EntryErrors = {
    ...(number === undefined && { phone_number: phoneError(phoneNumber) }),
    ...(!consent && { consent: new ApiError('missing_consent', { param: 'consent' }) }),
  };
  return number === undefined || errors.consent !== undefined ? { errors } : { number };
}

function phoneError(text: string | undefined): ApiError {
  const param = 'phone_number';
  if (text !== undefined && text.trim() !== '') return new ApiError('invalid_phone', { param });
  return new ApiError('missing_fields', { param, message: `Required and absent: ${param}.` });
}

/**
 * Stores the evidence of a person's consent: number, text shown, time, address and browser. It changes no opt-out:
 * anyone can type a number, so only a text from that number lifts a STOP.
 * Errors: opt_in_form_not_found (deleted in the meantime).
 */
export async function submitForm(
  db: Db,
  form: PublicForm,
  number: string,
  { ipAddress, userAgent }: Visitor,
): Promise<OptInSubmission> {
  const submission = await submit(
    db,
    { ledgerId: form.ledger_id, formId: form.id },
    {
      id: newId('opt_in_submission'),
      phoneNumber: number,
      ipAddress,
      userAgent: userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    },
  );
  if (submission === undefined) throw new ApiError('opt_in_form_not_found');
  return submission;
}
