/** The types of the tables. The English table decides which texts exist. */
import type { Translation } from '@dialplane/i18n';
import type { ApiErrorCode } from '@dialplane/sdk';
import type { en } from './en.ts';

/**
 * Codes of API refusals that people see at the elements. Each language has a text for them, because the API's English
 * messages only repeat the code.
 */
type RefusalCode = Extract<
  ApiErrorCode,
  | 'account_suspended'
  | 'tenant_restricted_key'
  | 'rate_limited'
  | 'idempotency_in_progress'
  | 'not_found'
  | 'empty_message'
  | 'body_too_long'
  | 'message_too_long'
  | 'invalid_to'
  | 'invalid_to_number'
  | 'recipient_opted_out'
  | 'from_number_not_found'
  | 'number_not_sms_capable'
  | 'destination_not_supported'
  | 'campaign_not_approved'
  | 'conversation_not_found'
  | 'too_many_notes'
  | 'recording_not_found'
  | 'web_client_not_found'
  | 'queue_not_found'
  | 'call_not_found'
  | 'call_not_active'
  | 'transfer_in_progress'
  | 'no_consult_in_progress'
  | 'insufficient_balance'
  | 'internal_error'
  | 'database_unavailable'
  | 'service_paused'
  | 'storage_unavailable'
  | 'carrier_unavailable'
>;

export type Table = Translation<ReturnType<typeof en>>;

/** The table of a language other than English. It also has texts for the messages of the API. */
export type TranslatedTable = Table & { readonly refusals: Readonly<Record<RefusalCode, string>> };
