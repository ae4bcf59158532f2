import type { Database } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { emitEvent } from '../../events/index.ts';
import { type PublicForm, submit } from './queries.ts';
import { readPhoneNumber, textVersion, USER_AGENT_CHARS_MAX } from './rules.ts';
import type { OptInEntry } from './schema.ts';

/**
 * The visitor's input: the number as typed, undefined if there was none, and whether the box was ticked. `shownVersion`
 * is the `textVersion` of the text on the visitor's page, undefined if another sender made the request.
 */
export type Entry = {
  readonly phoneNumber: string | undefined;
  readonly consent: boolean;
  readonly shownVersion: string | undefined;
};

export type Visitor = { readonly ipAddress: string; readonly userAgent: string | undefined };

/** The errors of an entry, by field. */
export type EntryErrors = { phone_number?: ApiError; consent?: ApiError };

/** The message of missing_consent if the given text is no longer the form's text. */
export const TEXT_CHANGED = 'The text beside the box has changed. Read it again, and tick the box if you agree.';

/**
 * Returns the entered number in E.164, or the errors (missing_fields, invalid_phone, missing_consent). If the consent
 * text changed after the page was shown, the box counts as not ticked.
 */
export function checkEntry(
  { phoneNumber, consent, shownVersion }: Entry,
  consentText: string,
): { number: string } | { errors: EntryErrors } {
  const number = readPhoneNumber(phoneNumber ?? '');
  const isOutdated = shownVersion !== undefined && shownVersion !== textVersion(consentText);
  const message = isOutdated && consent ? { message: TEXT_CHANGED } : {};
  const errors: EntryErrors = {
    ...(number === undefined && { phone_number: phoneError(phoneNumber) }),
    ...((!consent || isOutdated) && { consent: new ApiError('missing_consent', { param: 'consent', ...message }) }),
  };
  return number === undefined || errors.consent !== undefined ? { errors } : { number };
}

export function phoneError(text: string | undefined): ApiError {
  const param = 'phone_number';
  if (text !== undefined && text.trim() !== '') return new ApiError('invalid_phone', { param });
  return new ApiError('missing_fields', { param, message: `Required and absent: ${param}.` });
}

/**
 * Stores the evidence of a person's consent (number, text shown, time, address and browser), and emits
 * opt_in.submitted, for a repeated entry too. It changes no opt-out: anyone can type a number, so only a text from that
 * number lifts a STOP. Errors: opt_in_form_not_found (deleted concurrently).
 */
export function submitForm(
  db: Database,
  form: PublicForm,
  number: string,
  { ipAddress, userAgent }: Visitor,
): Promise<OptInEntry> {
  const { ledger_id: ledgerId, id: formId, campaign_id, consent_text } = form;
  return db.transaction(async (tx) => {
    const evidence = {
      id: newId('opt_in_submission'),
      phoneNumber: number,
      consentText: consent_text,
      ipAddress,
      userAgent: userAgent?.slice(0, USER_AGENT_CHARS_MAX) ?? null,
    };
    const submission = await submit(tx, { ledgerId, formId }, evidence);
    if (submission === undefined) throw new ApiError('opt_in_form_not_found');
    const { id, object, opt_in_form_id, tenant_id, phone_number, last_submitted_at: submitted_at } = submission;
    const entry = { id, object, opt_in_form_id, tenant_id, campaign_id, phone_number, consent_text, submitted_at };
    await emitEvent(tx, ledgerId, { type: 'opt_in.submitted', tenantId: tenant_id, resourceId: id, data: entry });
    return entry;
  });
}
