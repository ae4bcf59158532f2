// Made from openapi.json by `npm run gen`. Edit the document, not this file.

/** The codes of the API's errors. More will be added. */
export type ApiErrorCode =
  | 'missing_api_key'
  | 'malformed_authorization'
  | 'invalid_api_key'
  | 'account_suspended'
  | 'tenant_restricted_key'
  | 'key_not_permitted'
  | 'browser_session_not_found'
  | 'api_key_not_found'
  | 'test_mode_only'
  | 'rate_limited'
  | 'invalid_json'
  | 'invalid_body'
  | 'unreadable_body'
  | 'unsupported_media_type'
  | 'missing_fields'
  | 'not_found'
  | 'request_not_found'
  | 'method_not_allowed'
  | 'upgrade_required'
  | 'idempotency_key_reuse'
  | 'idempotency_in_progress'
  | 'invalid_cursor'
  | 'invalid_start'
  | 'invalid_end'
  | 'invalid_range'
  | 'empty_message'
  | 'body_too_long'
  | 'message_too_long'
  | 'invalid_send_at'
  | 'message_not_cancellable'
  | 'template_not_found'
  | 'missing_variables'
  | 'media_not_found'
  | 'invalid_to'
  | 'recipient_opted_out'
  | 'opt_out_not_removable'
  | 'from_number_not_found'
  | 'number_not_sms_capable'
  | 'message_not_found'
  | 'conversation_not_found'
  | 'note_not_found'
  | 'too_many_notes'
  | 'invalid_phone'
  | 'number_unavailable'
  | 'phone_number_not_found'
  | 'e911_address_not_found'
  | 'e911_address_invalid'
  | 'e911_address_in_use'
  | 'invalid_phone_numbers'
  | 'numbers_not_portable'
  | 'port_in_not_found'
  | 'port_in_not_submittable'
  | 'port_in_not_cancellable'
  | 'unsupported_document'
  | 'document_not_found'
  | 'too_many_documents'
  | 'invalid_service_address'
  | 'destination_not_supported'
  | 'routing_config_not_found'
  | 'routing_config_in_use'
  | 'queue_not_found'
  | 'queue_in_use'
  | 'invalid_to_number'
  | 'invalid_connect_to'
  | 'call_not_found'
  | 'voicemail_not_found'
  | 'transcript_not_found'
  | 'recording_not_found'
  | 'web_client_not_found'
  | 'call_not_active'
  | 'recording_not_active'
  | 'gather_in_progress'
  | 'speech_queue_full'
  | 'transfer_in_progress'
  | 'listener_not_found'
  | 'listener_not_possible'
  | 'no_consult_in_progress'
  | 'stream_not_found'
  | 'stream_already_active'
  | 'relay_active'
  | 'relay_not_found'
  | 'speech_unavailable'
  | 'brand_not_found'
  | 'campaign_not_found'
  | 'brand_not_vetted'
  | 'campaign_not_approved'
  | 'carrier_assign_failed'
  | 'campaign_not_editable'
  | 'review_not_pending'
  | 'verification_code_invalid'
  | 'legal_name_required'
  | 'invalid_ein'
  | 'invalid_entity_type'
  | 'invalid_billing_phone_number'
  | 'invalid_contact_email'
  | 'invalid_use_case'
  | 'description_required'
  | 'invalid_sample_messages'
  | 'opt_in_form_not_found'
  | 'missing_consent'
  | 'person_erasure_not_found'
  | 'person_export_not_found'
  | 'tenant_not_found'
  | 'name_required'
  | 'invalid_timezone'
  | 'external_ref_taken'
  | 'contact_not_found'
  | 'contact_number_taken'
  | 'webhook_endpoint_not_found'
  | 'too_many_endpoints'
  | 'delivery_not_found'
  | 'webhook_endpoint_disabled'
  | 'replay_not_found'
  | 'replay_in_progress'
  | 'event_not_found'
  | 'url_required'
  | 'invalid_url'
  | 'unknown_event_type'
  | 'invalid_sign_in_link'
  | 'not_signed_in'
  | 'cross_site_request'
  | 'operator_required'
  | 'user_not_found'
  | 'email_taken'
  | 'account_not_found'
  | 'connection_not_found'
  | 'carrier_request_not_found'
  | 'console_session_not_found'
  | 'insufficient_balance'
  | 'internal_error'
  | 'database_unavailable'
  | 'service_paused'
  | 'storage_unavailable'
  | 'carrier_unavailable';

/** What the API says about an error. */
export interface ApiErrorBody {
  /** Stable: branch on it. */
  code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key' | 'account_suspended' | 'tenant_restricted_key' | 'key_not_permitted' | 'browser_session_not_found' | 'api_key_not_found' | 'test_mode_only' | 'rate_limited' | 'invalid_json' | 'invalid_body' | 'unreadable_body' | 'unsupported_media_type' | 'missing_fields' | 'not_found' | 'request_not_found' | 'method_not_allowed' | 'upgrade_required' | 'idempotency_key_reuse' | 'idempotency_in_progress' | 'invalid_cursor' | 'invalid_start' | 'invalid_end' | 'invalid_range' | 'empty_message' | 'body_too_long' | 'message_too_long' | 'invalid_send_at' | 'message_not_cancellable' | 'template_not_found' | 'missing_variables' | 'media_not_found' | 'invalid_to' | 'recipient_opted_out' | 'opt_out_not_removable' | 'from_number_not_found' | 'number_not_sms_capable' | 'message_not_found' | 'conversation_not_found' | 'note_not_found' | 'too_many_notes' | 'invalid_phone' | 'number_unavailable' | 'phone_number_not_found' | 'e911_address_not_found' | 'e911_address_invalid' | 'e911_address_in_use' | 'invalid_phone_numbers' | 'numbers_not_portable' | 'port_in_not_found' | 'port_in_not_submittable' | 'port_in_not_cancellable' | 'unsupported_document' | 'document_not_found' | 'too_many_documents' | 'invalid_service_address' | 'destination_not_supported' | 'routing_config_not_found' | 'routing_config_in_use' | 'queue_not_found' | 'queue_in_use' | 'invalid_to_number' | 'invalid_connect_to' | 'call_not_found' | 'voicemail_not_found' | 'transcript_not_found' | 'recording_not_found' | 'web_client_not_found' | 'call_not_active' | 'recording_not_active' | 'gather_in_progress' | 'speech_queue_full' | 'transfer_in_progress' | 'listener_not_found' | 'listener_not_possible' | 'no_consult_in_progress' | 'stream_not_found' | 'stream_already_active' | 'relay_active' | 'relay_not_found' | 'speech_unavailable' | 'brand_not_found' | 'campaign_not_found' | 'brand_not_vetted' | 'campaign_not_approved' | 'carrier_assign_failed' | 'campaign_not_editable' | 'review_not_pending' | 'verification_code_invalid' | 'legal_name_required' | 'invalid_ein' | 'invalid_entity_type' | 'invalid_billing_phone_number' | 'invalid_contact_email' | 'invalid_use_case' | 'description_required' | 'invalid_sample_messages' | 'opt_in_form_not_found' | 'missing_consent' | 'person_erasure_not_found' | 'person_export_not_found' | 'tenant_not_found' | 'name_required' | 'invalid_timezone' | 'external_ref_taken' | 'contact_not_found' | 'contact_number_taken' | 'webhook_endpoint_not_found' | 'too_many_endpoints' | 'delivery_not_found' | 'webhook_endpoint_disabled' | 'replay_not_found' | 'replay_in_progress' | 'event_not_found' | 'url_required' | 'invalid_url' | 'unknown_event_type' | 'invalid_sign_in_link' | 'not_signed_in' | 'cross_site_request' | 'operator_required' | 'user_not_found' | 'email_taken' | 'account_not_found' | 'connection_not_found' | 'carrier_request_not_found' | 'console_session_not_found' | 'insufficient_balance' | 'internal_error' | 'database_unavailable' | 'service_paused' | 'storage_unavailable' | 'carrier_unavailable' | (string & {});
  message: string;
  /** The page about the code. */
  docs_url: string;
  /** Path of the field, or name of the parameter or header, that is at fault. */
  param?: string;
  /** Of bad input: all mistakes that were found, the one in `param` first */
  fields?: {
    /** Path of the field, or name of the parameter or header, that is at fault. */
    param: string;
    code: string;
    message: string;
  }[];
  /** As in the Request-Id header */
  request_id: string;
  /** Of e911_address_invalid: addresses that would be accepted */
  suggestions?: ({
    street: string;
    unit: string | null;
    city: string;
    /** Two letters, such as AZ. */
    state: string;
    /** ZIP code. */
    postal_code: string;
  })[];
  /** Of carrier_assign_failed: the number that was bought without its campaign */
  phone_number_id?: string;
}

/** The body of `POST /v1/test/clock`. */
export interface AdvanceTestClock {
  /** How far the clock moves, in seconds. */
  advance_seconds: number;
}

/** The body of `POST /v1/test/port_ins/{port_in_id}/advance`. */
export interface AdvanceTestPortIn {
  status: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';
  status_detail?: string | null | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/answer`. */
export interface AnswerTestCall {
  /** One of several that ring; the first by default */
  target?: string | undefined;
}

export interface ApiKey {
  id: string;
  object: 'api_key';
  name: string;
  /** Null opens all tenants of the account. */
  tenant_id: string | null;
  mode: 'test' | 'live';
  /** `read` refuses every request that changes something with `key_not_permitted`. */
  permissions: 'write' | 'read';
  /** Requests a second, in bursts of three times as many. */
  rate_limit: number;
  /** The last four characters of the key. */
  last4: string;
  created_at: string;
  /** Exact to a minute. */
  last_used_at: string | null;
  /** Set when the key has been rotated out. */
  expires_at: string | null;
}

export interface ApiKeyWithKey {
  id: string;
  object: 'api_key';
  name: string;
  /** Null opens all tenants of the account. */
  tenant_id: string | null;
  mode: 'test' | 'live';
  /** `read` refuses every request that changes something with `key_not_permitted`. */
  permissions: 'write' | 'read';
  /** Requests a second, in bursts of three times as many. */
  rate_limit: number;
  /** The last four characters of the key. */
  last4: string;
  created_at: string;
  /** Exact to a minute. */
  last_used_at: string | null;
  /** Set when the key has been rotated out. */
  expires_at: string | null;
  /** The secret. Shown in this reply only. */
  key: string;
}

export interface AuditLogEntry {
  id: string;
  object: 'audit_log_entry';
  /** Wall time, also in test mode. */
  at: string;
  actor: {
    type: 'key' | 'operator' | 'console' | 'user';
    /** The id of the key, of the user or of the console session, or the command of the operator. */
    id: string;
    /** The address of the user at that time. */
    email?: string;
  };
  action: 'account.created' | 'account.suspended' | 'account.resumed' | 'account.credited' | 'account.limited' | 'api_key.created' | 'api_key.rotated' | 'api_key.revoked' | 'console_session.created' | 'console_session.ended' | 'user.added' | 'user.changed' | 'user.removed' | 'tenant.created' | 'tenant.updated' | 'tenant.deleted' | 'phone_number.ordered' | 'phone_number.updated' | 'phone_number.released' | 'phone_number.imported' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.secret_rotated' | 'webhook_endpoint.deleted' | 'carrier_connection.added' | 'carrier_connection.changed' | 'carrier_connection.chosen' | 'carrier_connection.drained' | 'carrier_connection.disabled' | 'carrier_connection.enabled' | 'call_listener.created' | 'call_listener.deleted' | 'message.redacted' | 'note.deleted' | 'recording.deleted' | 'voicemail.deleted' | 'transcript.deleted' | 'person_erasure.created' | 'person_export.created' | 'test_ledger.reset' | 'notice.settled' | 'notice.reopened' | (string & {});
  /** What the action changed. */
  resource_id: string;
  /** The tenant of that resource; null for a change of the account. */
  tenant_id: string | null;
  /** More about the action. An update lists the names of the changed fields. */
  details: Record<string, unknown>;
}

export interface AvailableNumber {
  object: 'available_number';
  /** E.164 */
  phone_number: string;
  locality: string;
  /** Two letters of the state, such as AZ. */
  region: string;
  capabilities: ('sms' | 'mms' | 'voice')[];
  /** Decimal, such as 1.00 */
  monthly_price_usd: string;
  /** Why the number is not offered for texts: present for toll-free numbers */
  texts_unavailable?: string;
}

export interface AvailableNumberList {
  data: AvailableNumber[];
}

export interface Balance {
  object: 'balance';
  /** What is left; below zero where charges went beyond it, decimal with two to six places */
  amount_usd: string;
  /** ISO 4217, in lower case. */
  currency: 'usd';
}

export interface BalanceEntry {
  id: string;
  object: 'balance_entry';
  /** credit, or the kind of usage that was charged */
  kind: string;
  /** Credits are above zero and charges below, decimal with two to six places */
  amount_usd: string;
  /** The balance with this entry, decimal with two to six places */
  balance_after_usd: string;
  /** Identifies the payment or charge; unique among the entries */
  reference: string;
  description: string;
  created_at: string;
}

export interface Brand {
  id: string;
  object: 'brand';
  legal_name: string;
  /** The name under which the company does business, if it is another. */
  dba: string | null;
  /** Masked but for the last four digits; null for a sole proprietor without one. */
  ein: string | null;
  entity_type: 'private_company' | 'public_company' | 'non_profit' | 'sole_proprietor';
  website: string | null;
  contact_email: string;
  /** E.164 */
  phone: string;
  street: string;
  city: string;
  /** Two letters, such as AZ. */
  state: string;
  /** ZIP code. */
  postal_code: string;
  /** Null for the platform's own brand. */
  tenant_id: string | null;
  status: 'pending_vetting' | 'vetted' | 'rejected';
  /** Why it is rejected; while `pending_vetting`, what the registry waits for the business to do */
  rejection_reason: string | null;
  created_at: string;
}

export interface BrandWithPreviousStatus {
  id: string;
  object: 'brand';
  legal_name: string;
  /** The name under which the company does business, if it is another. */
  dba: string | null;
  /** Masked but for the last four digits; null for a sole proprietor without one. */
  ein: string | null;
  entity_type: 'private_company' | 'public_company' | 'non_profit' | 'sole_proprietor';
  website: string | null;
  contact_email: string;
  /** E.164 */
  phone: string;
  street: string;
  city: string;
  /** Two letters, such as AZ. */
  state: string;
  /** ZIP code. */
  postal_code: string;
  /** Null for the platform's own brand. */
  tenant_id: string | null;
  status: 'pending_vetting' | 'vetted' | 'rejected';
  /** Why it is rejected; while `pending_vetting`, what the registry waits for the business to do */
  rejection_reason: string | null;
  created_at: string;
  previous_status: 'pending_vetting' | 'vetted' | 'rejected';
}

export interface BrowserSession {
  id: string;
  object: 'browser_session';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  abilities: ('conversations:read' | 'messages:send' | 'calls:read' | 'calls:place' | 'voicemails:read' | 'events:read' | 'phone' | 'conversations:write')[];
  /** Null allows pages of any origin. */
  allowed_origins: string[] | null;
  /** With `phone`: null allows any web client of the tenant. */
  web_client_id: string | null;
  /** Your own id of the user who reads conversations on the page. Null allows any. */
  reader: string | null;
  created_at: string;
  expires_at: string;
}

export interface BrowserSessionWithToken {
  id: string;
  object: 'browser_session';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  abilities: ('conversations:read' | 'messages:send' | 'calls:read' | 'calls:place' | 'voicemails:read' | 'events:read' | 'phone' | 'conversations:write')[];
  /** Null allows pages of any origin. */
  allowed_origins: string[] | null;
  /** With `phone`: null allows any web client of the tenant. */
  web_client_id: string | null;
  /** Your own id of the user who reads conversations on the page. Null allows any. */
  reader: string | null;
  created_at: string;
  expires_at: string;
  /** What the page sends in place of a key. Shown in this reply only. */
  token: string;
}

export interface Call {
  id: string;
  object: 'call';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the phone number (`num_…`). */
  phone_number_id: string;
  /** The conversation of the number and the other party; null for a caller who hides the number */
  conversation_id: string | null;
  direction: 'inbound' | 'outbound';
  /** E.164; of an inbound call also a short code or "anonymous" */
  from: string;
  to: string;
  /**
   * The name that the caller of an inbound call shows, as the carrier gives it; null without one, and if the number is
   * withheld. Nobody has checked it
   */
  caller_name: string | null;
  /**
   * Whether the caller of an inbound call may use the number, as the carrier says (STIR/SHAKEN): attested A, B or C,
   * "failed", or "none" if it has not checked; null where it says nothing
   */
  attestation: 'A' | 'B' | 'C' | 'failed' | 'none' | null;
  /** The agent of a click-to-call, "application", "relay", or the web client or telephone that placed the call */
  connect_to: string | null;
  status: 'dialing' | 'ringing' | 'in_progress' | 'completed' | 'failed' | 'missed';
  /** Null until the call has ended */
  outcome: 'answered' | 'voicemail' | 'missed' | 'no_answer' | 'busy' | 'canceled' | 'failed' | 'no_application' | null;
  /**
   * Who answered: E.164, "web_client:" and its id, "sip_phone:" and its name, "application", "relay" or "voicemail";
   * null before
   */
  answered_by: string | null;
  /** Who answered a call with `machine_detection`; null without it, and until it is known */
  answered_by_kind: 'person' | 'machine' | 'fax' | 'unknown' | null;
  /** Why an inbound call went where it did, as it was decided; null for an outbound call */
  route: {
    /** The routing config that decided; null for a number without one */
    routing_config_id: string | null;
    /** open or closed hours, a menu that the caller was offered, or none: a number without routing */
    branch: 'open' | 'closed' | 'menu' | 'none';
    /** Null while the call is undecided: its targets ring, or the caller is in a menu */
    reason: 'answered' | 'no_answer' | 'closed' | 'no_routing' | 'unreachable' | 'overflow' | null;
    at: string;
  } | null;
  /** Connected time, set when the call ends; 0 before */
  duration_seconds: number;
  /** Whether the call is to be recorded */
  record: boolean;
  /** Id of the recording (`rec_…`). */
  recording_id: string | null;
  /** Id of the voicemail (`vm_…`). */
  voicemail_id: string | null;
  summary: string | null;
  started_at: string;
  ended_at: string | null;
  /** The log of the call, in order; its end is always in it */
  events: ({
    type: 'initiated' | 'ringing' | 'target_ringing' | 'target_prompted' | 'target_cancelled' | 'answered' | 'bridged' | 'answer_classified' | 'greeting_ended' | 'message_left' | 'announcement_played' | 'recording_started' | 'recording_paused' | 'recording_resumed' | 'recording_stopped' | 'speech_started' | 'speech_ended' | 'held' | 'resumed' | 'listener_started' | 'listener_ended' | 'transfer_started' | 'transfer_answered' | 'transfer_completed' | 'transfer_failed' | 'menu_choice' | 'queued' | 'dequeued' | 'dtmf' | 'gather_started' | 'gather_finished' | 'transcription_started' | 'stream_started' | 'stream_stopped' | 'relay_started' | 'relay_ended' | 'voicemail_started' | 'voicemail_saved' | 'hangup' | 'failed';
    at: string;
    /**
     * Fields by type: initiated: from, to, connect_to, identity, asserted_identity; ringing: party; target_ringing:
     * target; target_prompted: target; target_cancelled: target, reason, sip_status; answered: party, answered_by;
     * bridged: none; answer_classified: kind; greeting_ended: beep; message_left: completed; announcement_played:
     * which; recording_started: recording_id; recording_paused: recording_id; recording_resumed: recording_id;
     * recording_stopped: recording_id, reason; speech_started: speech_id, to; speech_ended: speech_id, completed;
     * held: none; resumed: none; listener_started: listener_id, web_client_id, speaks_to; listener_ended: listener_id,
     * reason; transfer_started: to, mode; transfer_answered: to; transfer_completed: to; transfer_failed: to, reason,
     * sip_status; menu_choice: digit, path; queued: queue_id, position; dequeued: queue_id, reason, wait_seconds,
     * agent, queue_name; dtmf: digit, pressed_by, digits, sent; gather_started: max_digits, terminator, timeout_ms;
     * gather_finished: digits, reason; transcription_started: none; stream_started: stream_id, direction, track;
     * stream_stopped: stream_id, reason; relay_started: relay_id; relay_ended: relay_id, reason; voicemail_started:
     * none; voicemail_saved: voicemail_id, recording_id; hangup: outcome, party, cause, reason, failed; failed:
     * outcome, party, cause, reason, sip_status, failed, recording_id
     */
    detail: Record<string, unknown>;
  })[];
}

export interface CallDequeued {
  object: 'call_dequeued';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the queue (`que_…`). */
  queue_id: string;
  /** Seconds that the caller has waited */
  wait_seconds: number;
  /** answered by `agent`; abandoned: the call ended; overflow: a full queue, or the longest wait */
  reason: 'answered' | 'abandoned' | 'overflow' | 'callback';
  /** As in the list of the queue */
  agent: string | null;
}

export interface CallDtmf {
  object: 'call_dtmf';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** A digit, `*`, `#` or a letter from A to D. */
  digit: string;
  pressed_by: 'agent' | 'customer';
  occurred_at: string;
}

export interface CallGather {
  object: 'call_gather';
  /** Id of the call (`call_…`). */
  call_id: string;
  digits: string;
  reason: 'completed' | 'timeout' | 'hangup';
}

export interface CallGreeting {
  object: 'call_greeting';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** False if it ended with a silence */
  beep: boolean;
}

export interface CallListener {
  id: string;
  object: 'call_listener';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the web client (`wcl_…`). */
  web_client_id: string;
  speaks_to: 'none' | 'agent' | 'all';
  created_at: string;
}

export interface CallMachine {
  object: 'call_machine';
  /** Id of the call (`call_…`). */
  call_id: string;
  answered_by_kind: 'machine' | 'fax';
}

export interface CallMenu {
  object: 'call_menu';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** A digit, `*`, `#` or a letter from A to D. */
  digit: string;
  /** The keys that have led here, this one last; evaluate takes them as digits */
  path: string;
}

export interface CallQueued {
  object: 'call_queued';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the queue (`que_…`). */
  queue_id: string;
  /** Among those who wait */
  position: number;
}

export interface CallRelay {
  id: string;
  object: 'call_relay';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  status: 'connecting' | 'active' | 'ended';
  url: string;
  welcome_text: string | null;
  language: string;
  voice: string | null;
  interruptible: boolean;
  dtmf: boolean;
  /** In milliseconds */
  silence_ms: number;
  partial_prompts: boolean;
  parameters: Record<string, string>;
  /** Why it has ended; null before */
  reason: 'agent_ended' | 'agent_closed' | 'agent_silent' | 'agent_slow' | 'agent_overflow' | 'protocol_error' | 'speech_failed' | 'connect_failed' | 'carrier_error' | 'transferred' | 'api_request' | 'call_ended' | null;
  /** Why the gateway could not connect to url, in a sentence */
  connect_error: string | null;
  /** What the agent has handed over with `end` */
  handoff_data: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}

export interface CallRelayWithBilledSeconds {
  id: string;
  object: 'call_relay';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  status: 'connecting' | 'active' | 'ended';
  url: string;
  welcome_text: string | null;
  language: string;
  voice: string | null;
  interruptible: boolean;
  dtmf: boolean;
  /** In milliseconds */
  silence_ms: number;
  partial_prompts: boolean;
  parameters: Record<string, string>;
  /** Why it has ended; null before */
  reason: 'agent_ended' | 'agent_closed' | 'agent_silent' | 'agent_slow' | 'agent_overflow' | 'protocol_error' | 'speech_failed' | 'connect_failed' | 'carrier_error' | 'transferred' | 'api_request' | 'call_ended' | null;
  /** Why the gateway could not connect to url, in a sentence */
  connect_error: string | null;
  /** What the agent has handed over with `end` */
  handoff_data: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  /** Connected time; 0 until the relay has ended */
  billed_seconds: number;
}

export interface CallSpeech {
  object: 'call_speech';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the speech (`spc_…`). */
  speech_id: string;
  /** False for one that was stopped, or could not be spoken */
  completed: boolean;
}

export interface CallTranscriptSegment {
  object: 'call_transcript_segment';
  /** Id of the call (`call_…`). */
  call_id: string;
  speaker: 'agent' | 'customer';
  text: string;
  occurred_at: string;
  /** The time when its content was deleted; absent until then */
  redacted_at?: string;
}

export interface CallTransfer {
  object: 'call_transfer';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** E.164, the id of a web client, or "voicemail" */
  to: string;
  /** Why it failed */
  reason: 'no_answer' | 'busy' | 'rejected' | 'failed' | 'canceled' | null;
}

export interface Campaign {
  id: string;
  object: 'campaign';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the brand (`brd_…`). */
  brand_id: string;
  use_case: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed';
  description: string;
  sample_messages: string[];
  opt_in_description: string;
  status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended';
  rejection_reason: string | null;
  /** Null until granted. */
  throughput: {
    messages_per_minute: number;
    /** Segments a day, in Pacific time */
    daily_cap: number;
  } | null;
  created_at: string;
}

export interface CampaignWithPreviousStatus {
  id: string;
  object: 'campaign';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the brand (`brd_…`). */
  brand_id: string;
  use_case: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed';
  description: string;
  sample_messages: string[];
  opt_in_description: string;
  status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended';
  rejection_reason: string | null;
  /** Null until granted. */
  throughput: {
    messages_per_minute: number;
    /** Segments a day, in Pacific time */
    daily_cap: number;
  } | null;
  created_at: string;
  previous_status: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended';
}

/** The body of `POST /v1/calls/check`. */
export interface CheckCall {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** The customer, E.164 */
  to: string;
  /**
   * The agent, who rings first: E.164, a web client (wcl_…) or telephone (sip_phone:front) of the tenant. With
   * "application" your software talks to the customer, with "relay" the agent of text of the field relay
   */
  connect_to: string;
  /** Whether it is transcribed. */
  transcribe?: boolean | undefined;
  /** Both parties hear an announcement first */
  record?: boolean | undefined;
  listening_announcement?: string | null | undefined;
  relay?: {
    /** A wss address on the public internet that the gateway connects to */
    url: string;
    welcome_text?: string | null | undefined;
    /** The language that the customer and the agent speak */
    language?: string | undefined;
    voice?: string | null | undefined;
    /** Whether the customer interrupts the agent by speaking or by a key */
    interruptible?: boolean | undefined;
    /** Whether the agent is sent the keys of the customer */
    dtmf?: boolean | undefined;
    /** A pause of this many milliseconds ends what the customer says. A shorter one answers sooner */
    silence_ms?: number | undefined;
    /** Whether the agent is sent words before the recogniser has finished */
    partial_prompts?: boolean | undefined;
    parameters?: Record<string, string> | undefined;
  } | undefined;
  machine_detection?: {
    /**
     * What follows if a machine answers. continue: nothing; hangup: the call ends; leave_message: the agent is free,
     * and the message is left after the beep
     */
    on_machine: 'continue' | 'hangup' | 'leave_message';
    /** With leave_message: a text, or an object with either text or audio_url */
    message?: string | {
      /** Spoken as it is */
      text?: string | undefined;
      /** WAV or MP3 over https, at most 10 MB, fetched when the call is placed; five minutes are played */
      audio_url?: string | undefined;
    } | undefined;
  } | undefined;
}

/** The reply to `POST /v1/calls/check`. */
export interface CheckCallReply {
  accepted: boolean;
  error: {
    code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key' | 'account_suspended' | 'tenant_restricted_key' | 'key_not_permitted' | 'browser_session_not_found' | 'api_key_not_found' | 'test_mode_only' | 'rate_limited' | 'invalid_json' | 'invalid_body' | 'unreadable_body' | 'unsupported_media_type' | 'missing_fields' | 'not_found' | 'request_not_found' | 'method_not_allowed' | 'upgrade_required' | 'idempotency_key_reuse' | 'idempotency_in_progress' | 'invalid_cursor' | 'invalid_start' | 'invalid_end' | 'invalid_range' | 'empty_message' | 'body_too_long' | 'message_too_long' | 'invalid_send_at' | 'message_not_cancellable' | 'template_not_found' | 'missing_variables' | 'media_not_found' | 'invalid_to' | 'recipient_opted_out' | 'opt_out_not_removable' | 'from_number_not_found' | 'number_not_sms_capable' | 'message_not_found' | 'conversation_not_found' | 'note_not_found' | 'too_many_notes' | 'invalid_phone' | 'number_unavailable' | 'phone_number_not_found' | 'e911_address_not_found' | 'e911_address_invalid' | 'e911_address_in_use' | 'invalid_phone_numbers' | 'numbers_not_portable' | 'port_in_not_found' | 'port_in_not_submittable' | 'port_in_not_cancellable' | 'unsupported_document' | 'document_not_found' | 'too_many_documents' | 'invalid_service_address' | 'destination_not_supported' | 'routing_config_not_found' | 'routing_config_in_use' | 'queue_not_found' | 'queue_in_use' | 'invalid_to_number' | 'invalid_connect_to' | 'call_not_found' | 'voicemail_not_found' | 'transcript_not_found' | 'recording_not_found' | 'web_client_not_found' | 'call_not_active' | 'recording_not_active' | 'gather_in_progress' | 'speech_queue_full' | 'transfer_in_progress' | 'listener_not_found' | 'listener_not_possible' | 'no_consult_in_progress' | 'stream_not_found' | 'stream_already_active' | 'relay_active' | 'relay_not_found' | 'speech_unavailable' | 'brand_not_found' | 'campaign_not_found' | 'brand_not_vetted' | 'campaign_not_approved' | 'carrier_assign_failed' | 'campaign_not_editable' | 'review_not_pending' | 'verification_code_invalid' | 'legal_name_required' | 'invalid_ein' | 'invalid_entity_type' | 'invalid_billing_phone_number' | 'invalid_contact_email' | 'invalid_use_case' | 'description_required' | 'invalid_sample_messages' | 'opt_in_form_not_found' | 'missing_consent' | 'person_erasure_not_found' | 'person_export_not_found' | 'tenant_not_found' | 'name_required' | 'invalid_timezone' | 'external_ref_taken' | 'contact_not_found' | 'contact_number_taken' | 'webhook_endpoint_not_found' | 'too_many_endpoints' | 'delivery_not_found' | 'webhook_endpoint_disabled' | 'replay_not_found' | 'replay_in_progress' | 'event_not_found' | 'url_required' | 'invalid_url' | 'unknown_event_type' | 'insufficient_balance' | 'internal_error' | 'database_unavailable' | 'service_paused' | 'storage_unavailable' | 'carrier_unavailable';
    message: string;
    /** The page about the code. */
    docs_url: string;
    /** Path of the field, or name of the parameter or header, that is at fault. */
    param?: string;
    /** Of bad input: all mistakes that were found, the one in `param` first */
    fields?: {
      /** Path of the field, or name of the parameter or header, that is at fault. */
      param: string;
      code: string;
      message: string;
    }[];
    request_id: string;
  } | null;
  /** What does not refuse the call, and a person should know before it */
  warnings: ({
    code: 'recipient_opted_out' | 'quiet_hours';
    message: string;
  })[];
}

/** The body of `POST /v1/campaigns/check`. */
export interface CheckCampaign {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Id of the brand (`brd_…`). */
  brand_id?: string | undefined;
  use_case: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed';
  /** What the tenant sends, and why recipients expect it */
  description: string;
  sample_messages: string[];
  opt_in_description: string;
  draft?: boolean | undefined;
}

/** The reply to `POST /v1/campaigns/check`. */
export interface CheckCampaignReply {
  findings: {
    /** Path of the field, such as sample_messages[1] */
    field: string;
    /** Stable name of the rule */
    rule: string;
    message: string;
    remedy: string;
  }[];
}

/** The body of `POST /v1/messages/check`. */
export interface CheckMessage {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** E.164 */
  to: string;
  /** At most 1600 characters */
  body?: string | undefined;
  /** Public addresses of the files that are sent with the text. */
  media_urls?: string[] | undefined;
  /** The template that makes the body, instead of body */
  template_id?: string | undefined;
  variables?: Record<string, string> | undefined;
  /** RFC 3339, from 1 minute to 30 days ahead: the text waits until then */
  send_at?: string | undefined;
  /** In the quiet hours of the tenant the text waits for their end */
  respect_quiet_hours?: boolean | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The reply to `POST /v1/messages/check`. */
export interface CheckMessageReply {
  accepted: boolean;
  /** Parts in which the text is sent. Each is billed. */
  segments: number;
  encoding: 'gsm7' | 'ucs2';
  /** null: it would be sent at once */
  send_at: string | null;
  error: {
    code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key' | 'account_suspended' | 'tenant_restricted_key' | 'key_not_permitted' | 'browser_session_not_found' | 'api_key_not_found' | 'test_mode_only' | 'rate_limited' | 'invalid_json' | 'invalid_body' | 'unreadable_body' | 'unsupported_media_type' | 'missing_fields' | 'not_found' | 'request_not_found' | 'method_not_allowed' | 'upgrade_required' | 'idempotency_key_reuse' | 'idempotency_in_progress' | 'invalid_cursor' | 'invalid_start' | 'invalid_end' | 'invalid_range' | 'empty_message' | 'body_too_long' | 'message_too_long' | 'invalid_send_at' | 'message_not_cancellable' | 'template_not_found' | 'missing_variables' | 'media_not_found' | 'invalid_to' | 'recipient_opted_out' | 'opt_out_not_removable' | 'from_number_not_found' | 'number_not_sms_capable' | 'message_not_found' | 'conversation_not_found' | 'note_not_found' | 'too_many_notes' | 'invalid_phone' | 'number_unavailable' | 'phone_number_not_found' | 'e911_address_not_found' | 'e911_address_invalid' | 'e911_address_in_use' | 'invalid_phone_numbers' | 'numbers_not_portable' | 'port_in_not_found' | 'port_in_not_submittable' | 'port_in_not_cancellable' | 'unsupported_document' | 'document_not_found' | 'too_many_documents' | 'invalid_service_address' | 'destination_not_supported' | 'routing_config_not_found' | 'routing_config_in_use' | 'queue_not_found' | 'queue_in_use' | 'invalid_to_number' | 'invalid_connect_to' | 'call_not_found' | 'voicemail_not_found' | 'transcript_not_found' | 'recording_not_found' | 'web_client_not_found' | 'call_not_active' | 'recording_not_active' | 'gather_in_progress' | 'speech_queue_full' | 'transfer_in_progress' | 'listener_not_found' | 'listener_not_possible' | 'no_consult_in_progress' | 'stream_not_found' | 'stream_already_active' | 'relay_active' | 'relay_not_found' | 'speech_unavailable' | 'brand_not_found' | 'campaign_not_found' | 'brand_not_vetted' | 'campaign_not_approved' | 'carrier_assign_failed' | 'campaign_not_editable' | 'review_not_pending' | 'verification_code_invalid' | 'legal_name_required' | 'invalid_ein' | 'invalid_entity_type' | 'invalid_billing_phone_number' | 'invalid_contact_email' | 'invalid_use_case' | 'description_required' | 'invalid_sample_messages' | 'opt_in_form_not_found' | 'missing_consent' | 'person_erasure_not_found' | 'person_export_not_found' | 'tenant_not_found' | 'name_required' | 'invalid_timezone' | 'external_ref_taken' | 'contact_not_found' | 'contact_number_taken' | 'webhook_endpoint_not_found' | 'too_many_endpoints' | 'delivery_not_found' | 'webhook_endpoint_disabled' | 'replay_not_found' | 'replay_in_progress' | 'event_not_found' | 'url_required' | 'invalid_url' | 'unknown_event_type' | 'insufficient_balance' | 'internal_error' | 'database_unavailable' | 'service_paused' | 'storage_unavailable' | 'carrier_unavailable';
    message: string;
    /** The page about the code. */
    docs_url: string;
    /** Path of the field, or name of the parameter or header, that is at fault. */
    param?: string;
    /** Of bad input: all mistakes that were found, the one in `param` first */
    fields?: {
      /** Path of the field, or name of the parameter or header, that is at fault. */
      param: string;
      code: string;
      message: string;
    }[];
    request_id: string;
  } | null;
}

/** The body of `POST /v1/port_ins/check`. */
export interface CheckPortability {
  /** Numbers in E.164. Each has an answer; those of other countries than the United States cannot be ported */
  phone_numbers: string[];
}

/** The body of `POST /v1/brands/{brand_id}/verification/confirm`. */
export interface ConfirmBrandVerification {
  /** The code of the newest text to the phone of the brand. */
  code: string;
}

export interface Contact {
  id: string;
  object: 'contact';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  company: string | null;
  /** In E.164. */
  phone_numbers: string[];
  email: string | null;
  /** Your own id of the tenant. */
  external_ref: string | null;
  /** Your own names and texts, returned unchanged. */
  metadata: Record<string, string>;
  created_at: string;
  updated_at: string;
}

export interface ContactUpsertResult {
  /** The position in `contacts`, from 0. */
  index: number;
  result: 'created' | 'updated' | 'unchanged' | 'refused';
  /** Id of the contact (`con_…`). */
  contact_id: string | null;
  /** The fields that were changed. */
  changed: string[];
  error: {
    code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key' | 'account_suspended' | 'tenant_restricted_key' | 'key_not_permitted' | 'browser_session_not_found' | 'api_key_not_found' | 'test_mode_only' | 'rate_limited' | 'invalid_json' | 'invalid_body' | 'unreadable_body' | 'unsupported_media_type' | 'missing_fields' | 'not_found' | 'request_not_found' | 'method_not_allowed' | 'upgrade_required' | 'idempotency_key_reuse' | 'idempotency_in_progress' | 'invalid_cursor' | 'invalid_start' | 'invalid_end' | 'invalid_range' | 'empty_message' | 'body_too_long' | 'message_too_long' | 'invalid_send_at' | 'message_not_cancellable' | 'template_not_found' | 'missing_variables' | 'media_not_found' | 'invalid_to' | 'recipient_opted_out' | 'opt_out_not_removable' | 'from_number_not_found' | 'number_not_sms_capable' | 'message_not_found' | 'conversation_not_found' | 'note_not_found' | 'too_many_notes' | 'invalid_phone' | 'number_unavailable' | 'phone_number_not_found' | 'e911_address_not_found' | 'e911_address_invalid' | 'e911_address_in_use' | 'invalid_phone_numbers' | 'numbers_not_portable' | 'port_in_not_found' | 'port_in_not_submittable' | 'port_in_not_cancellable' | 'unsupported_document' | 'document_not_found' | 'too_many_documents' | 'invalid_service_address' | 'destination_not_supported' | 'routing_config_not_found' | 'routing_config_in_use' | 'queue_not_found' | 'queue_in_use' | 'invalid_to_number' | 'invalid_connect_to' | 'call_not_found' | 'voicemail_not_found' | 'transcript_not_found' | 'recording_not_found' | 'web_client_not_found' | 'call_not_active' | 'recording_not_active' | 'gather_in_progress' | 'speech_queue_full' | 'transfer_in_progress' | 'listener_not_found' | 'listener_not_possible' | 'no_consult_in_progress' | 'stream_not_found' | 'stream_already_active' | 'relay_active' | 'relay_not_found' | 'speech_unavailable' | 'brand_not_found' | 'campaign_not_found' | 'brand_not_vetted' | 'campaign_not_approved' | 'carrier_assign_failed' | 'campaign_not_editable' | 'review_not_pending' | 'verification_code_invalid' | 'legal_name_required' | 'invalid_ein' | 'invalid_entity_type' | 'invalid_billing_phone_number' | 'invalid_contact_email' | 'invalid_use_case' | 'description_required' | 'invalid_sample_messages' | 'opt_in_form_not_found' | 'missing_consent' | 'person_erasure_not_found' | 'person_export_not_found' | 'tenant_not_found' | 'name_required' | 'invalid_timezone' | 'external_ref_taken' | 'contact_not_found' | 'contact_number_taken' | 'webhook_endpoint_not_found' | 'too_many_endpoints' | 'delivery_not_found' | 'webhook_endpoint_disabled' | 'replay_not_found' | 'replay_in_progress' | 'event_not_found' | 'url_required' | 'invalid_url' | 'unknown_event_type' | 'insufficient_balance' | 'internal_error' | 'database_unavailable' | 'service_paused' | 'storage_unavailable' | 'carrier_unavailable';
    message: string;
    /** Path of the field, or name of the parameter or header, that is at fault. */
    param: string;
  } | null;
}

export interface ContactUpsertResultList {
  data: ContactUpsertResult[];
}

/** The body of `POST /v1/calls/{call_id}/recording`. */
export interface ControlCallRecording {
  /** A paused recording has silence, and what is said meanwhile is in no transcript */
  action: 'start' | 'pause' | 'resume' | 'stop';
}

/** The reply to `POST /v1/calls/{call_id}/recording`. */
export interface ControlCallRecordingReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  /** The recording exists once it has ended and its audio is kept */
  recording_id: string;
  /** recording: also while it is being announced */
  status: 'recording' | 'paused' | 'stopped';
}

export interface Conversation {
  id: string;
  object: 'conversation';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the phone number (`num_…`). */
  phone_number_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
  last_activity_at: string;
  last_message_preview: string;
  /** The last activity, which the preview is of. Only a preview of a `message` has words of people */
  last_activity_kind: 'message' | 'call' | 'missed_call' | 'voicemail';
  opted_out: boolean;
  /** An inbound text, a missed call or a voicemail opens it */
  state: 'open' | 'done';
  assignee: string | null;
  /** When it is unsnoozed, if the person does not write or call before */
  snoozed_until: string | null;
  tags: string[];
  /** Id of the contact (`con_…`). */
  contact_id: string | null;
  /** With `reader`: inbound texts, missed calls and voicemails that the reader has not read */
  unread_count?: number;
}

export interface ConversationWithChanged {
  id: string;
  object: 'conversation';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the phone number (`num_…`). */
  phone_number_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
  last_activity_at: string;
  last_message_preview: string;
  /** The last activity, which the preview is of. Only a preview of a `message` has words of people */
  last_activity_kind: 'message' | 'call' | 'missed_call' | 'voicemail';
  opted_out: boolean;
  /** An inbound text, a missed call or a voicemail opens it */
  state: 'open' | 'done';
  assignee: string | null;
  /** When it is unsnoozed, if the person does not write or call before */
  snoozed_until: string | null;
  tags: string[];
  /** Id of the contact (`con_…`). */
  contact_id: string | null;
  /** With `reader`: inbound texts, missed calls and voicemails that the reader has not read */
  unread_count?: number;
  /** The fields that were changed; `notes`: a note was written or deleted */
  changed: ('state' | 'assignee' | 'snoozed_until' | 'tags' | 'contact_id' | 'notes')[];
}

/** The body of `POST /v1/api_keys`. */
export interface CreateApiKey {
  name: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | null | undefined;
  permissions?: 'write' | 'read' | undefined;
}

/** The body of `POST /v1/brands`. */
export interface CreateBrand {
  legal_name: string;
  /** The name under which the company does business, if it is another. */
  dba?: string | null | undefined;
  ein?: string | null | undefined;
  entity_type: 'private_company' | 'public_company' | 'non_profit' | 'sole_proprietor';
  website?: string | null | undefined;
  contact_email: string;
  phone: string;
  street: string;
  city: string;
  /** Two letters, such as AZ. */
  state: string;
  /** ZIP code. */
  postal_code: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | null | undefined;
}

/** The body of `POST /v1/browser_sessions`. */
export interface CreateBrowserSession {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** What the page may do for the tenant. Each ability opens some operations; all others are refused. */
  abilities: ('conversations:read' | 'messages:send' | 'calls:read' | 'calls:place' | 'voicemails:read' | 'events:read' | 'phone' | 'conversations:write')[];
  allowed_origins?: string[] | null | undefined;
  /** Id of the web client (`wcl_…`). */
  web_client_id?: string | null | undefined;
  reader?: string | null | undefined;
  /** How long the session lasts. */
  expires_in_seconds?: number | undefined;
}

/** The body of `POST /v1/calls/{call_id}/listeners`. */
export interface CreateCallListener {
  /** A web client of the tenant (wcl_…) that is on no call */
  web_client_id: string;
  /** Who hears it: nobody, the agent alone, or all parties. It hears all of them in each case */
  speaks_to: 'none' | 'agent' | 'all';
}

/** The body of `POST /v1/calls/{call_id}/relay`. */
export interface CreateCallRelay {
  /** A wss address on the public internet that the gateway connects to */
  url: string;
  welcome_text?: string | null | undefined;
  /** The language that the customer and the agent speak */
  language?: string | undefined;
  voice?: string | null | undefined;
  /** Whether the customer interrupts the agent by speaking or by a key */
  interruptible?: boolean | undefined;
  /** Whether the agent is sent the keys of the customer */
  dtmf?: boolean | undefined;
  /** A pause of this many milliseconds ends what the customer says. A shorter one answers sooner */
  silence_ms?: number | undefined;
  /** Whether the agent is sent words before the recogniser has finished */
  partial_prompts?: boolean | undefined;
  parameters?: Record<string, string> | undefined;
}

/** The body of `POST /v1/calls/{call_id}/streams`. */
export interface CreateCallStream {
  /** With bidirectional the client can play audio */
  direction?: 'fork' | 'bidirectional' | undefined;
  /**
   * inbound is what the customer says, outbound what the customer hears. The default is both, and inbound for a
   * bidirectional stream in the dialect twilio
   */
  track?: 'inbound' | 'outbound' | 'both' | undefined;
  /** A wss address on the public internet that the gateway connects to */
  connect_url?: string | undefined;
  /** The form of the messages: native, or twilio for that of Twilio's Media Streams */
  dialect?: 'native' | 'twilio' | undefined;
  parameters?: Record<string, string> | undefined;
}

/** The body of `POST /v1/campaigns`. */
export interface CreateCampaign {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the brand (`brd_…`). */
  brand_id: string;
  use_case: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed';
  /** What the tenant sends, and why recipients expect it */
  description: string;
  sample_messages: string[];
  /** How recipients give their consent */
  opt_in_description: string;
  /** Store it without submitting it */
  draft?: boolean | undefined;
}

/** The body of `POST /v1/contacts`. */
export interface CreateContact {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  company?: string | null | undefined;
  /** Each is one contact’s in the tenant. */
  phone_numbers?: string[] | undefined;
  email?: string | null | undefined;
  /** Your own id of the tenant. */
  external_ref?: string | null | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The body of `POST /v1/conversations/{conversation_id}/notes`. */
export interface CreateConversationNote {
  /** It is never sent */
  body: string;
  /** Your own name or id of the user; in the console the user */
  author?: string | undefined;
}

/** The body of `POST /v1/e911_addresses`. */
export interface CreateE911Address {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** House number and street */
  street: string;
  unit?: string | null | undefined;
  city: string;
  /** Two letters, such as AZ. */
  state: string;
  /** ZIP code. */
  postal_code: string;
}

/** The body of `POST /v1/message_templates`. */
export interface CreateMessageTemplate {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | null | undefined;
  name: string;
  /** Text with variables in double braces, such as {{first_name}} */
  body: string;
}

/** The body of `POST /v1/opt_in_forms`. */
export interface CreateOptInForm {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Heading of the page. */
  name: string;
  /** Id of the campaign (`cmp_…`). */
  campaign_id?: string | null | undefined;
  consent_text?: string | null | undefined;
  terms_url?: string | null | undefined;
  privacy_url?: string | null | undefined;
  logo_url?: string | null | undefined;
  color?: string | null | undefined;
}

/** The body of `POST /v1/opt_outs`. */
export interface CreateOptOut {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
  source?: 'api' | 'import' | undefined;
  /** Both by default. With the source "import" always both */
  channels?: ('text' | 'call')[] | undefined;
}

/** The body of `POST /v1/person_erasures`. */
export interface CreatePersonErasure {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
}

/** The body of `POST /v1/person_exports`. */
export interface CreatePersonExport {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
}

/** The body of `POST /v1/port_ins`. */
export interface CreatePortIn {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** US numbers, all from one losing carrier */
  phone_numbers: string[];
  /** Account holder in the records of the losing carrier */
  entity_name: string;
  /** Who may order the port-in for the holder of the account. */
  authorized_person: string;
  /** A US number in E.164 */
  billing_phone_number: string;
  /** At the losing carrier */
  account_number: string;
  /** Address in the records of the losing carrier */
  service_address: {
    street: string;
    city: string;
    /** Two letters, such as AZ. */
    state: string;
    /** ZIP code. */
    postal_code: string;
  };
  /** PIN of the account at the losing carrier. It is never returned. */
  pin?: string | null | undefined;
}

/** The body of `POST /v1/queues`. */
export interface CreateQueue {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  /**
   * Which free agent rings for the next caller: the one without a call for the longest time, the one whose last turn
   * is the longest ago, or all of them
   */
  strategy?: 'longest_idle' | 'round_robin' | 'ring_all' | undefined;
  /** Ids of web clients of the tenant, E.164 numbers, and telephones of your SIP engine: `sip_phone:` and a name */
  agents?: string[] | undefined;
  /** How long an agent rings before the next one does */
  ring_seconds?: number | undefined;
  /** How long an agent gets no caller after any call */
  wrap_up_seconds?: number | undefined;
  /** Callers who may wait; `overflow` follows for the next one */
  max_waiting?: number | undefined;
  /** How long a caller waits before `overflow` follows */
  max_wait_seconds?: number | undefined;
  announce_position_seconds?: number | null | undefined;
  callback_digit?: string | null | undefined;
  overflow?: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  } | undefined;
}

/** The body of `POST /v1/realtime/tokens`. */
export interface CreateRealtimeToken {
  /** The token gives this tenant's events only. A tenant's key needs no tenant_id. */
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/routing_configs`. */
export interface CreateRoutingConfig {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  business_hours?: {
    schedule: ({
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      /** Local time */
      open: string;
      /** Local time; a time at or before the opening time is on the next day */
      close: string;
    })[];
    /** Dates that replace the weekly schedule: closed, or open at other hours */
    holidays?: ({
      date: string;
      closed?: boolean | undefined;
      open?: string | null | undefined;
      close?: string | null | undefined;
    })[] | undefined;
  } | null | undefined;
  open_behavior: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  };
  closed_behavior?: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  } | undefined;
  recording?: {
    enabled?: boolean | undefined;
    consent_announcement?: boolean | undefined;
  } | undefined;
  listening_announcement?: string | null | undefined;
  hold_audio_url?: string | null | undefined;
  hold_audio_status?: 'pending' | 'ready' | 'failed' | null | undefined;
  hold_audio_error?: string | null | undefined;
}

/** The body of `POST /v1/tenants`. */
export interface CreateTenant {
  name: string;
  /** Your own id of the tenant. */
  external_ref?: string | null | undefined;
  /** IANA name */
  timezone?: string | undefined;
  sender_name?: string | null | undefined;
  support_contact?: string | null | undefined;
  quiet_hours?: {
    start?: string | undefined;
    end?: string | undefined;
    /** recipient: the zone of the recipient's area code, and the tenant's where it has none */
    zone: 'recipient' | 'tenant';
    schedule?: ({
      /** The days when the hours begin */
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      start: string;
      /** On the next day if it is before `start` */
      end: string;
    })[] | undefined;
    /**
     * requested: texts with `respect_quiet_hours`. marketing: also every text under a campaign of use_case marketing
     * or mixed. all: every text
     */
    applies_to?: 'requested' | 'marketing' | 'all' | undefined;
  } | null | undefined;
  retention?: {
    message_days?: number | null | undefined;
    recording_days?: number | null | undefined;
    voicemail_days?: number | null | undefined;
    transcript_days?: number | null | undefined;
  } | undefined;
  /** Numbers that are texted when 911 is dialled, E.164 */
  emergency_contacts?: string[] | undefined;
  auto_replies?: {
    missed_call?: string | null | undefined;
    after_hours?: string | null | undefined;
    /** A person gets one of these texts at most in this many hours */
    once_every_hours?: number | undefined;
  } | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The body of `POST /v1/test/inbound_calls`. */
export interface CreateTestInboundCall {
  /** E.164, a short code or "anonymous" */
  from: string;
  to: string;
  /** The name that the caller shows; by default none */
  caller_name?: string | undefined;
  /** Steps such as: ring 3, answer, say "Hello", press 1, wait 2, hangup */
  script?: string | undefined;
}

/** The body of `POST /v1/web_clients`. */
export interface CreateWebClient {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name?: string | null | undefined;
  e911_address_id?: string | null | undefined;
}

/** The body of `POST /v1/webhook_endpoints`. */
export interface CreateWebhookEndpoint {
  /** An https address on the public internet. */
  url: string;
  enabled_events?: string[] | null | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | null | undefined;
  description?: string | null | undefined;
}

/** The body of `POST /v1/webhook_endpoints/{endpoint_id}/replays`. */
export interface CreateWebhookEndpointReplay {
  /** RFC 3339 or YYYY-MM-DD; included. Events are kept for 30 days. */
  start: string;
  /** RFC 3339 or YYYY-MM-DD; excluded. Default: now. */
  end?: string | undefined;
  event_types?: string[] | null | undefined;
  /** True leaves out events that the endpoint has accepted, and events that still wait for it. */
  only_missed?: boolean | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/dtmf`. */
export interface DtmfTestCall {
  digits: string;
  party?: 'agent' | 'customer' | undefined;
}

export interface E911Address {
  id: string;
  object: 'e911_address';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  street: string;
  unit: string | null;
  city: string;
  /** Two letters, such as AZ. */
  state: string;
  /** ZIP code. */
  postal_code: string;
  status: 'pending' | 'validated' | 'rejected';
  created_at: string;
}

export interface EmergencyCall {
  object: 'emergency_call';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the phone number (`num_…`). */
  phone_number_id: string;
  /** E.164 */
  from: string;
  to: string;
  /** Null for a telephone */
  web_client_id: string | null;
  /** The telephone at a SIP engine (sip_phone:front); null for a web client */
  telephone: string | null;
  e911_address_id: string | null;
  /** True if the carrier has confirmed the address for the number */
  address_confirmed: boolean;
  placed_at: string;
}

/** The body of `POST /v1/routing_configs/{routing_config_id}/evaluate`. */
export interface EvaluateRoutingConfig {
  /** RFC 3339; the present by default */
  at?: string | undefined;
  /** Keys that the caller presses in menus, in this order */
  digits?: string | undefined;
}

/** The reply to `POST /v1/routing_configs/{routing_config_id}/evaluate`. */
export interface EvaluateRoutingConfigReply {
  at: string;
  open: boolean;
  behavior: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehavior | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
  /** With `digits`: those of them that chose an option, in order */
  path?: string;
  /** Targets that would ring, in order; empty if `behavior` is no ring */
  targets: string[];
}

/** The body of `POST /v1/test/calls/{call_id}/hangup`. */
export interface HangupTestCall {
  party?: 'agent' | 'customer' | undefined;
  /** One of several agents; all by default */
  target?: string | undefined;
}

/** The body of `POST /v1/conversations/{conversation_id}/read`. */
export interface MarkConversationRead {
  /** Your own id of the user whose read state this is */
  reader?: string | undefined;
}

export interface MediaStream {
  id: string;
  object: 'media_stream';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  direction: 'fork' | 'bidirectional';
  track: 'inbound' | 'outbound' | 'both';
  status: 'starting' | 'active' | 'stopped' | 'failed';
  /** WebSocket address of the gateway that holds the audio; use it as it is */
  url: string;
  /** The address that the gateway connects to. Null if a client connects to url */
  connect_url: string | null;
  /** Why the gateway could not connect to connect_url, in a sentence */
  connect_error: string | null;
  dialect: 'native' | 'twilio';
  parameters: Record<string, string>;
  stop_reason: 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client' | null;
  created_at: string;
  started_at: string | null;
  stopped_at: string | null;
}

export interface MediaStreamList {
  /** The latest ones, newest first */
  data: MediaStream[];
}

export interface MediaStreamWithReason {
  id: string;
  object: 'media_stream';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  direction: 'fork' | 'bidirectional';
  track: 'inbound' | 'outbound' | 'both';
  status: 'starting' | 'active' | 'stopped' | 'failed';
  /** WebSocket address of the gateway that holds the audio; use it as it is */
  url: string;
  /** The address that the gateway connects to. Null if a client connects to url */
  connect_url: string | null;
  /** Why the gateway could not connect to connect_url, in a sentence */
  connect_error: string | null;
  dialect: 'native' | 'twilio';
  parameters: Record<string, string>;
  stop_reason: 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client' | null;
  created_at: string;
  started_at: string | null;
  stopped_at: string | null;
  /** The same as stop_reason */
  reason: 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client' | null;
  /** Connected time; 0 until the stream has ended */
  billed_seconds: number;
}

export interface MediaStreamWithToken {
  id: string;
  object: 'media_stream';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  direction: 'fork' | 'bidirectional';
  track: 'inbound' | 'outbound' | 'both';
  status: 'starting' | 'active' | 'stopped' | 'failed';
  /** WebSocket address of the gateway that holds the audio; use it as it is */
  url: string;
  /** The address that the gateway connects to. Null if a client connects to url */
  connect_url: string | null;
  /** Why the gateway could not connect to connect_url, in a sentence */
  connect_error: string | null;
  dialect: 'native' | 'twilio';
  parameters: Record<string, string>;
  stop_reason: 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client' | null;
  created_at: string;
  started_at: string | null;
  stopped_at: string | null;
  /** Opens the stream once, within 30 seconds. Shown only here. Empty with connect_url */
  token: string;
}

export interface MenuBehavior {
  type: 'menu';
  prompt: string;
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehaviorLevel2 | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  }>;
  /** How long it waits, in seconds. */
  timeout_seconds: number;
  /** How often the prompt is spoken before `otherwise` follows. */
  tries: number;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehaviorLevel2 | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
}

export interface MenuBehaviorLevel2 {
  type: 'menu';
  prompt: string;
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehaviorLevel3 | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  }>;
  /** How long it waits, in seconds. */
  timeout_seconds: number;
  /** How often the prompt is spoken before `otherwise` follows. */
  tries: number;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehaviorLevel3 | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
}

export interface MenuBehaviorLevel3 {
  type: 'menu';
  prompt: string;
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  }>;
  /** How long it waits, in seconds. */
  timeout_seconds: number;
  /** How often the prompt is spoken before `otherwise` follows. */
  tries: number;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
}

export interface Message {
  id: string;
  object: 'message';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The conversation of the number and the other party; null for a text from a withheld number */
  conversation_id: string | null;
  direction: 'inbound' | 'outbound';
  /** E.164; of an inbound text also a short code or "anonymous" */
  from: string;
  to: string;
  /** True for an inbound text to several people */
  group: boolean;
  /** Of a group text: who else it was sent to, E.164 or a short code */
  other_recipients: string[];
  body: string;
  media: ({
    url: string;
    content_type: string | null;
  })[];
  /** The time when its body and media were deleted */
  redacted_at: string | null;
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled' | 'received';
  /** Why the text failed. Null unless it has failed. */
  error_code: string | null;
  /** Why the text failed in its carrier's own terms. Null if no carrier has named an error. */
  error_detail: {
    /** The carrier's code of the error */
    carrier_code: string;
    /** The carrier's title of the error */
    title: string;
  } | null;
  /** Parts in which the text is sent. Each is billed. */
  segments: number;
  /** Your own names and texts, returned unchanged. */
  metadata: Record<string, string>;
  /** The time that it was scheduled for */
  send_at: string | null;
  created_at: string;
  status_history: {
    status: string;
    at: string;
  }[];
}

export interface MessageAttempt {
  at: string;
  outcome: 'accepted' | 'rejected' | 'unavailable' | 'unknown';
  /**
   * Of `rejected` the error code of the text; of `unavailable` why: `unreachable`, `account` (the account at the
   * carrier does not allow it), `disabled` (the connection), or `not_now`; of `accepted` `confirmed_later` after an
   * attempt whose answer was lost
   */
  reason: string | null;
  /** Why the text failed in its carrier's own terms. Null if no carrier has named an error. */
  error_detail: {
    /** The carrier's code of the error */
    carrier_code: string;
    /** The carrier's title of the error */
    title: string;
  } | null;
}

export interface MessageAttemptList {
  data: MessageAttempt[];
}

export interface MessageTemplate {
  id: string;
  object: 'message_template';
  /** null: for all tenants */
  tenant_id: string | null;
  name: string;
  body: string;
  /** The names that the body uses */
  variables: string[];
  created_at: string;
}

export interface MessageWithFailureReason {
  id: string;
  object: 'message';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The conversation of the number and the other party; null for a text from a withheld number */
  conversation_id: string | null;
  direction: 'inbound' | 'outbound';
  /** E.164; of an inbound text also a short code or "anonymous" */
  from: string;
  to: string;
  /** True for an inbound text to several people */
  group: boolean;
  /** Of a group text: who else it was sent to, E.164 or a short code */
  other_recipients: string[];
  body: string;
  media: ({
    url: string;
    content_type: string | null;
  })[];
  /** The time when its body and media were deleted */
  redacted_at: string | null;
  status: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled' | 'received';
  /** Why the text failed. Null unless it has failed. */
  error_code: string | null;
  /** Why the text failed in its carrier's own terms. Null if no carrier has named an error. */
  error_detail: {
    /** The carrier's code of the error */
    carrier_code: string;
    /** The carrier's title of the error */
    title: string;
  } | null;
  /** Parts in which the text is sent. Each is billed. */
  segments: number;
  /** Your own names and texts, returned unchanged. */
  metadata: Record<string, string>;
  /** The time that it was scheduled for */
  send_at: string | null;
  created_at: string;
  status_history: {
    status: string;
    at: string;
  }[];
  /** The same as error_code */
  failure_reason: string;
}

export interface Note {
  id: string;
  object: 'note';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the conversation (`cnv_…`). */
  conversation_id: string;
  body: string;
  author: string | null;
  created_at: string;
}

export interface NumberPortability {
  /** E.164 */
  phone_number: string;
  portable: boolean;
  /** Why not; null for a portable number */
  reason: string | null;
}

export interface NumberPortabilityList {
  data: NumberPortability[];
}

/** The body of `POST /v1/test/calls/{call_id}/audio`. */
export interface OpenTestCallAudio {
  /** The person, by telephone number. It is on the call or is rung, and was taken over */
  number: string;
}

export interface OptInForm {
  id: string;
  object: 'opt_in_form';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  name: string;
  /** Last part of the address of the page. */
  slug: string;
  /** The public page; open to everybody. */
  url: string;
  /** The public page where people opt out; it stays after the form. */
  opt_out_url: string;
  consent_text: string;
  terms_url: string | null;
  privacy_url: string | null;
  logo_url: string | null;
  color: string;
  created_at: string;
}

export interface OptInSubmission {
  /** The submission of this number on this form */
  id: string;
  object: 'opt_in_submission';
  /** Id of the opt-in form (`oif_…`). */
  opt_in_form_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  phone_number: string;
  /** What was shown beside the box. */
  consent_text: string;
  submitted_at: string;
}

export interface OptInSubmissionWithIpAddress {
  id: string;
  object: 'opt_in_submission';
  /** Id of the opt-in form (`oif_…`). */
  opt_in_form_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  phone_number: string;
  /** What was shown beside the box at the first entry. */
  consent_text: string;
  submitted_at: string;
  ip_address: string;
  user_agent: string | null;
  created_at: string;
  /** How often this number has been entered. */
  times_submitted: number;
  /** What was shown at the latest entry. */
  last_consent_text: string;
  last_ip_address: string;
  last_user_agent: string | null;
  last_submitted_at: string;
}

export interface OptOut {
  object: 'opt_out';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
  opted_out_at: string;
  source: 'stop_keyword' | 'stop_phrase' | 'voice' | 'voice_phrase' | 'form' | 'api' | 'carrier' | 'import';
  /** What is refused: "text" is texts, "call" is calls where software speaks */
  channels: ('text' | 'call')[];
}

export interface OptOutCandidate {
  object: 'opt_out_candidate';
  /** Id of the message (`msg_…`). */
  message_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** The number of the other person, in E.164. */
  external_number: string;
  /** What the person wrote */
  body: string;
  at: string;
}

export interface PersonErasure {
  id: string;
  object: 'person_erasure';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  status: 'pending' | 'completed';
  counts: {
    /** Texts */
    messages: number;
    /** Conversations */
    conversations: number;
    /** Notes at conversations */
    notes: number;
    /** Contacts with the number */
    contacts: number;
    /** Calls whose content was removed; their times and usage stay */
    calls: number;
    /** Recordings, those of voicemails included */
    recordings: number;
    /** Voicemails */
    voicemails: number;
    /** Submissions of opt-in forms that are older than their evidence must be kept */
    opt_in_submissions: number;
    /** Stored events whose data was redacted */
    events: number;
  };
  created_at: string;
  completed_at: string | null;
}

export interface PersonExport {
  id: string;
  object: 'person_export';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  status: 'pending' | 'completed' | 'failed';
  /** A ZIP file. The address is good for one hour; a read gives a new one. Null without a file */
  download_url: string | null;
  created_at: string;
}

export interface PhoneNumber {
  id: string;
  object: 'phone_number';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164 */
  phone_number: string;
  status: 'pending' | 'active' | 'suspended' | 'released';
  capabilities: ('sms' | 'mms' | 'voice')[];
  /** Id of the routing config (`rtc_…`). */
  routing_config_id: string | null;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  e911_address_id: string | null;
  /** True while the attached campaign is approved and the carrier has confirmed the number for it */
  messaging_ready: boolean;
  created_at: string;
}

export interface PhoneNumberWithPortOut {
  id: string;
  object: 'phone_number';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164 */
  phone_number: string;
  status: 'pending' | 'active' | 'suspended' | 'released';
  capabilities: ('sms' | 'mms' | 'voice')[];
  /** Id of the routing config (`rtc_…`). */
  routing_config_id: string | null;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  e911_address_id: string | null;
  /** True while the attached campaign is approved and the carrier has confirmed the number for it */
  messaging_ready: boolean;
  created_at: string;
  port_out: {
    status: 'pending' | 'ported' | 'rejected';
    /** Where the number moves to */
    carrier_name: string | null;
    /** Why it is rejected */
    reason: string | null;
  };
}

export interface PhoneNumberWithPreviousStatus {
  id: string;
  object: 'phone_number';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164 */
  phone_number: string;
  status: 'pending' | 'active' | 'suspended' | 'released';
  capabilities: ('sms' | 'mms' | 'voice')[];
  /** Id of the routing config (`rtc_…`). */
  routing_config_id: string | null;
  /** Id of the campaign (`cmp_…`). */
  campaign_id: string | null;
  e911_address_id: string | null;
  /** True while the attached campaign is approved and the carrier has confirmed the number for it */
  messaging_ready: boolean;
  created_at: string;
  previous_status: 'pending' | 'active' | 'suspended' | 'released';
}

/** The body of `POST /v1/calls`. */
export interface PlaceCall {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** The customer, E.164 */
  to: string;
  /**
   * The agent, who rings first: E.164, a web client (wcl_…) or telephone (sip_phone:front) of the tenant. With
   * "application" your software talks to the customer, with "relay" the agent of text of the field relay
   */
  connect_to: string;
  /** Whether it is transcribed. */
  transcribe?: boolean | undefined;
  /** Both parties hear an announcement first */
  record?: boolean | undefined;
  listening_announcement?: string | null | undefined;
  relay?: {
    /** A wss address on the public internet that the gateway connects to */
    url: string;
    welcome_text?: string | null | undefined;
    /** The language that the customer and the agent speak */
    language?: string | undefined;
    voice?: string | null | undefined;
    /** Whether the customer interrupts the agent by speaking or by a key */
    interruptible?: boolean | undefined;
    /** Whether the agent is sent the keys of the customer */
    dtmf?: boolean | undefined;
    /** A pause of this many milliseconds ends what the customer says. A shorter one answers sooner */
    silence_ms?: number | undefined;
    /** Whether the agent is sent words before the recogniser has finished */
    partial_prompts?: boolean | undefined;
    parameters?: Record<string, string> | undefined;
  } | undefined;
  machine_detection?: {
    /**
     * What follows if a machine answers. continue: nothing; hangup: the call ends; leave_message: the agent is free,
     * and the message is left after the beep
     */
    on_machine: 'continue' | 'hangup' | 'leave_message';
    /** With leave_message: a text, or an object with either text or audio_url */
    message?: string | {
      /** Spoken as it is */
      text?: string | undefined;
      /** WAV or MP3 over https, at most 10 MB, fetched when the call is placed; five minutes are played */
      audio_url?: string | undefined;
    } | undefined;
  } | undefined;
}

export interface PortIn {
  id: string;
  object: 'port_in';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164 */
  phone_numbers: string[];
  status: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';
  /** The carrier's request, in words */
  status_detail: string | null;
  /** Holder of the account at the losing carrier. */
  entity_name: string;
  /** Who may order the port-in for the holder of the account. */
  authorized_person: string;
  /** E.164 */
  billing_phone_number: string;
  /** Number of the account at the losing carrier. */
  account_number: string;
  service_address: {
    street: string;
    city: string;
    /** Two letters, such as AZ. */
    state: string;
    /** ZIP code. */
    postal_code: string;
  };
  /** When the losing carrier hands the numbers over. Null until it has confirmed a date. */
  foc_date: string | null;
  created_at: string;
}

export interface PortInDocument {
  id: string;
  object: 'port_in_document';
  /** Id of the port-in (`port_…`). */
  port_in_id: string;
  kind: 'letter_of_authorization' | 'invoice';
  /** As recognised in the file */
  content_type: 'application/pdf' | 'image/png' | 'image/jpeg';
  /** In bytes. */
  size_bytes: number;
  created_at: string;
}

export interface PortInDocumentList {
  data: PortInDocument[];
}

export interface PortInWithPreviousStatus {
  id: string;
  object: 'port_in';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164 */
  phone_numbers: string[];
  status: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';
  /** The carrier's request, in words */
  status_detail: string | null;
  /** Holder of the account at the losing carrier. */
  entity_name: string;
  /** Who may order the port-in for the holder of the account. */
  authorized_person: string;
  /** E.164 */
  billing_phone_number: string;
  /** Number of the account at the losing carrier. */
  account_number: string;
  service_address: {
    street: string;
    city: string;
    /** Two letters, such as AZ. */
    state: string;
    /** ZIP code. */
    postal_code: string;
  };
  /** When the losing carrier hands the numbers over. Null until it has confirmed a date. */
  foc_date: string | null;
  created_at: string;
  previous_status: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';
}

/** The body of `POST /v1/test/phone_numbers/{number_id}/port_out`. */
export interface PortOutTestPhoneNumber {
  status: 'pending' | 'ported' | 'rejected';
  carrier_name?: string | null | undefined;
  reason?: string | null | undefined;
}

export interface Price {
  kind: 'sms_segment_outbound' | 'sms_segment_inbound' | 'mms_outbound' | 'mms_inbound' | 'call_minute_outbound' | 'call_minute_inbound' | 'recording_minute' | 'transcription_minute' | 'stream_minute' | 'number_month' | 'brand_registration' | 'campaign_setup' | 'campaign_month';
  unit: 'segment' | 'message' | 'minute' | 'month' | 'registration';
  /** The price of one unit, decimal with two to six places */
  amount_usd: string;
}

export interface PriceList {
  data: Price[];
}

/** The body of `POST /v1/phone_numbers`. */
export interface PurchasePhoneNumber {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** E.164, from a search */
  phone_number: string;
  /** Id of the routing config (`rtc_…`). */
  routing_config_id?: string | null | undefined;
  /** Id of the campaign (`cmp_…`). */
  campaign_id?: string | null | undefined;
}

export interface Queue {
  id: string;
  object: 'queue';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  /** Which free agent rings for the next caller */
  strategy: 'longest_idle' | 'round_robin' | 'ring_all';
  agents: ({
    /** As in the list of the queue. */
    agent: string;
    /**
     * ringing and busy: on a call of any kind. wrap_up: after one. away: by its own decision, not logged in, or for
     * ten seconds after it declined or could not be reached
     */
    state: 'available' | 'away' | 'ringing' | 'busy' | 'wrap_up';
  })[];
  /** Seconds that an agent rings */
  ring_seconds: number;
  /** Seconds without a caller after any call */
  wrap_up_seconds: number;
  max_waiting: number;
  /** After these seconds `overflow` follows */
  max_wait_seconds: number;
  announce_position_seconds: number | null;
  callback_digit: string | null;
  overflow: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehavior | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
  /** Callers who wait, those for whom an agent rings included */
  waiting: number;
  /** How long the first of them has waited; 0 without one */
  longest_wait_seconds: number;
  created_at: string;
}

export interface RealtimeToken {
  object: 'realtime_token';
  /** Safe to give to a browser: it opens the event socket and nothing else. */
  token: string;
  /** Where to connect; add the token as the query parameter "token". */
  url: string;
  expires_at: string;
}

export interface Recording {
  id: string;
  object: 'recording';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the call (`call_…`). */
  call_id: string;
  /** In whole seconds. */
  duration_seconds: number;
  /** Whether both parties heard the announcement to its end */
  consent_announced: boolean;
  /** Plays the audio for an hour, without a key; in events the path of the audio, which needs a key */
  audio_url: string;
  created_at: string;
}

export interface RecordingWithRedactedAt {
  id: string;
  object: 'recording';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the call (`call_…`). */
  call_id: string;
  /** In whole seconds. */
  duration_seconds: number;
  /** Whether both parties heard the announcement to its end */
  consent_announced: boolean;
  /** Plays the audio for an hour, without a key; in events the path of the audio, which needs a key */
  audio_url: string;
  created_at: string;
  /** The time when its content was deleted; absent until then */
  redacted_at?: string;
}

export interface RelayBehavior {
  type: 'relay';
  url: string;
  welcome_text: string | null;
  language: string;
  voice: string | null;
  interruptible: boolean;
  dtmf: boolean;
  /** In milliseconds */
  silence_ms: number;
  partial_prompts: boolean;
  parameters: Record<string, string>;
  fallback: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehaviorLevel3 | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
}

/** The body of `PUT /v1/routing_configs/{routing_config_id}`. */
export interface ReplaceRoutingConfig {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  business_hours?: {
    schedule: ({
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      /** Local time */
      open: string;
      /** Local time; a time at or before the opening time is on the next day */
      close: string;
    })[];
    /** Dates that replace the weekly schedule: closed, or open at other hours */
    holidays?: ({
      date: string;
      closed?: boolean | undefined;
      open?: string | null | undefined;
      close?: string | null | undefined;
    })[] | undefined;
  } | null | undefined;
  open_behavior: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  };
  closed_behavior?: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  } | undefined;
  recording?: {
    enabled?: boolean | undefined;
    consent_announcement?: boolean | undefined;
  } | undefined;
  listening_announcement?: string | null | undefined;
  hold_audio_url?: string | null | undefined;
  hold_audio_status?: 'pending' | 'ready' | 'failed' | null | undefined;
  hold_audio_error?: string | null | undefined;
}

export interface RequestLogEntry {
  /** The request id: the Request-Id header of the reply. */
  id: string;
  object: 'request_log_entry';
  /** When the request arrived: wall time, also in test mode. */
  created_at: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'OTHER';
  /** Without the query. Of a phone number in it, the last four digits are shown. */
  path: string;
  route: string | null;
  /** The HTTP status of the reply. */
  status: number;
  /** Why the text failed. Null unless it has failed. */
  error_code: string | null;
  /** From the arrival of the request to the end of the reply. */
  duration_ms: number;
  /** The id of the key, or of the console session. */
  api_key_id: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string | null;
  /** Id of the resource that the event is about. `sequence` counts its events. */
  resource_id: string | null;
  idempotency_key: string | null;
  /** True for the stored reply of an earlier request. */
  idempotent_replayed: boolean;
}

export interface RequestedMenu {
  type: 'menu';
  /** Read out to the caller */
  prompt: string;
  /** What follows each key. A config has at most 100 behaviors, those in menus included */
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenuLevel2 | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  }>;
  /** Seconds that the caller has to choose, from the end of the prompt */
  timeout_seconds?: number | undefined;
  /** How often the prompt is spoken before `otherwise` follows */
  tries?: number | undefined;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenuLevel2 | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  };
}

export interface RequestedMenuLevel2 {
  type: 'menu';
  /** Read out to the caller */
  prompt: string;
  /** What follows each key. A config has at most 100 behaviors, those in menus included */
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenuLevel3 | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  }>;
  /** Seconds that the caller has to choose, from the end of the prompt */
  timeout_seconds?: number | undefined;
  /** How often the prompt is spoken before `otherwise` follows */
  tries?: number | undefined;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenuLevel3 | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  };
}

export interface RequestedMenuLevel3 {
  type: 'menu';
  /** Read out to the caller */
  prompt: string;
  /** What follows each key. A config has at most 100 behaviors, those in menus included */
  options: Record<string, {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  }>;
  /** Seconds that the caller has to choose, from the end of the prompt */
  timeout_seconds?: number | undefined;
  /** How often the prompt is spoken before `otherwise` follows */
  tries?: number | undefined;
  otherwise: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  };
}

export interface RequestedRelay {
  type: 'relay';
  /** A wss address on the public internet that the gateway connects to */
  url: string;
  welcome_text?: string | null | undefined;
  /** The language that the customer and the agent speak */
  language?: string | undefined;
  voice?: string | null | undefined;
  /** Whether the customer interrupts the agent by speaking or by a key */
  interruptible?: boolean | undefined;
  /** Whether the agent is sent the keys of the customer */
  dtmf?: boolean | undefined;
  /** A pause of this many milliseconds ends what the customer says. A shorter one answers sooner */
  silence_ms?: number | undefined;
  /** Whether the agent is sent words before the recogniser has finished */
  partial_prompts?: boolean | undefined;
  parameters?: Record<string, string> | undefined;
  fallback?: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenuLevel3 | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  } | undefined;
}

/** The body of `POST /v1/events/{event_id}/resend`. */
export interface ResendEvent {
  /** Id of the webhook endpoint (`whe_…`). */
  endpoint_id?: string | undefined;
}

/** The body of `POST /v1/test/brands/{brand_id}/review`. */
export interface ReviewTestBrand {
  result: 'approved' | 'rejected' | 'suspended';
  reason?: string | null | undefined;
}

/** The body of `POST /v1/test/campaigns/{campaign_id}/review`. */
export interface ReviewTestCampaign {
  result: 'approved' | 'rejected' | 'suspended';
  reason?: string | null | undefined;
}

/** The body of `POST /v1/api_keys/{key_id}/rotate`. */
export interface RotateApiKey {
  /** How long the old key stays valid. */
  expires_in_seconds?: number | undefined;
}

export interface RoutingConfig {
  id: string;
  object: 'routing_config';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  business_hours: {
    schedule: ({
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      open: string;
      close: string;
    })[];
    holidays?: ({
      date: string;
      closed?: boolean;
      open?: string | null;
      close?: string | null;
    })[];
  } | null;
  open_behavior: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | MenuBehavior | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
  closed_behavior: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients, telephones (`sip_phone:front`), and `application`: the software of the
     * platform.
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy: 'simultaneous' | 'sequential';
    /** How long it waits, in seconds. */
    timeout_seconds: number;
    /** What follows if no target answers. Null hangs up. */
    no_answer: {
      type: 'voicemail';
      /** Read out to the caller before the tone. */
      greeting_text: string;
      /** Whether it is transcribed. */
      transcribe: boolean;
    } | null;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean;
  } | {
    type: 'voicemail';
    /** Read out to the caller before the tone. */
    greeting_text: string;
    /** Whether it is transcribed. */
    transcribe: boolean;
  } | MenuBehavior | RelayBehavior | {
    type: 'queue';
    /** Id of the queue (`que_…`). */
    queue_id: string;
  };
  recording: {
    enabled: boolean;
    consent_announcement: boolean;
  };
  listening_announcement: string | null;
  hold_audio_url: string | null;
  hold_audio_status: 'pending' | 'ready' | 'failed' | null;
  hold_audio_error: string | null;
  created_at: string;
}

export interface SearchResult {
  object: 'tenant' | 'contact' | 'phone_number' | 'conversation';
  id: string;
  /** A name or a number. */
  title: string;
  /** A second line that tells apart results with the same title, for people. */
  detail: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  last_activity_kind: 'message' | 'call' | 'missed_call' | 'voicemail' | null;
}

export interface SearchResultList {
  data: SearchResult[];
}

/** The body of `POST /v1/calls/{call_id}/dtmf`. */
export interface SendDtmf {
  /** w pauses half a second, W one */
  digits: string;
}

/** The reply to `POST /v1/calls/{call_id}/dtmf`. */
export interface SendDtmfReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  digits: string;
  status: 'sent';
}

/** The body of `POST /v1/messages`. */
export interface SendMessage {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** E.164 */
  to: string;
  /** At most 1600 characters */
  body?: string | undefined;
  /** Public addresses of the files that are sent with the text. */
  media_urls?: string[] | undefined;
  /** The template that makes the body, instead of body */
  template_id?: string | undefined;
  variables?: Record<string, string> | undefined;
  /** RFC 3339, from 1 minute to 30 days ahead: the text waits until then */
  send_at?: string | undefined;
  /** In the quiet hours of the tenant the text waits for their end */
  respect_quiet_hours?: boolean | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The body of `PUT /v1/queues/{queue_id}/agents/{agent}/availability`. */
export interface SetQueueAgentAvailability {
  availability: 'available' | 'away';
}

/** The body of `POST /v1/test/faults`. */
export interface SetTestFault {
  kind: 'delay' | 'duplicate' | 'reorder' | 'drop' | 'assign_failed' | 'send_unavailable' | 'send_unknown';
  times?: number | null | undefined;
  /** In seconds. */
  delay_seconds?: number | null | undefined;
}

/** The body of `POST /v1/test/reviews`. */
export interface SetTestReviews {
  mode: 'auto' | 'manual';
}

/** The body of `POST /v1/test/inbound_messages`. */
export interface SimulateInboundMessage {
  /** E.164, a short code or "anonymous" */
  from: string;
  to: string;
  /** Who else the text is sent to: it is a group text */
  other_recipients?: string[] | undefined;
  /** At most 1600 characters */
  body?: string | undefined;
  /** Public addresses of the files that are sent with the text. */
  media_urls?: string[] | undefined;
}

/** The body of `POST /v1/test/messages/{message_id}/receipt`. */
export interface SimulateMessageReceipt {
  status: 'sent' | 'delivered' | 'failed';
  failure_reason?: 'carrier_rejected' | 'send_failed' | 'unreachable' | 'spam_blocked' | 'daily_cap_exceeded' | 'expired' | 'recipient_opted_out' | 'campaign_suspended' | null | undefined;
}

export interface SipPhone {
  /** Its address, for ring targets, agents of queues and `connect_to`: sip_phone:front */
  id: string;
  object: 'sip_phone';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string;
  /** The number that it calls from */
  phone_number: string;
  extensions: {
    /** What is dialled */
    digits: string;
    /** Another telephone of the tenant, or a number */
    to: string;
  }[];
  /**
   * registered: at one engine at least. not_registered: at no engine. unknown: at no engine that answers, and another
   * engine does not answer. Updated every 10 seconds
   */
  registration: 'registered' | 'not_registered' | 'unknown';
  /** When it was first seen as registered; null unless it is registered */
  registered_since: string | null;
}

/** The body of `POST /v1/calls/{call_id}/speak`. */
export interface SpeakCall {
  /** Spoken as it is */
  text: string;
  /** Who hears it */
  to?: 'customer' | 'agent' | 'both' | undefined;
}

/** The reply to `POST /v1/calls/{call_id}/speak`. */
export interface SpeakCallReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  /** call.speech.ended has the same id */
  speech_id: string;
  status: 'speaking';
}

/** The body of `POST /v1/test/calls/{call_id}/speech`. */
export interface SpeechTestCall {
  speaker: 'agent' | 'customer';
  text: string;
}

/** The body of `POST /v1/calls/{call_id}/gather`. */
export interface StartGather {
  /** Spoken to the customer */
  prompt: string;
  /** The gather ends when it has this many digits. */
  max_digits?: number | undefined;
  /** Ends the input; it is not among the digits */
  terminator?: string | undefined;
  /** How long each digit may take once the prompt is over */
  timeout_ms?: number | undefined;
}

/** The reply to `POST /v1/calls/{call_id}/gather`. */
export interface StartGatherReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  status: 'listening';
}

/** The reply to `POST /v1/calls/{call_id}/transcription`. */
export interface StartTranscriptionReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  status: 'transcribing';
}

/** The reply to `POST /v1/calls/{call_id}/speak/stop`. */
export interface StopCallSpeakReply {
  /** Id of the call (`call_…`). */
  call_id: string;
  status: 'stopped';
}

/** The body of `POST /v1/test/calls/{call_id}/take_over`. */
export interface TakeOverTestCall {
  /** The person, by telephone number; it may be rung later */
  number: string;
}

export interface Tenant {
  id: string;
  object: 'tenant';
  name: string;
  /** Your own id of the tenant. */
  external_ref: string | null;
  /** A name of the IANA database, such as America/Phoenix. */
  timezone: string;
  /** The name in replies to STOP, START and HELP */
  sender_name: string;
  /** The contact in replies to HELP */
  support_contact: string | null;
  quiet_hours: {
    start?: string;
    end?: string;
    /** recipient: the zone of the recipient's area code, and the tenant's where it has none */
    zone: 'recipient' | 'tenant';
    schedule?: ({
      /** The days when the hours begin */
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      start: string;
      /** On the next day if it is before `start` */
      end: string;
    })[];
    /**
     * requested: texts with `respect_quiet_hours`. marketing: also every text under a campaign of use_case marketing
     * or mixed. all: every text
     */
    applies_to?: 'requested' | 'marketing' | 'all';
  } | null;
  retention: {
    message_days: number | null;
    recording_days: number | null;
    voicemail_days: number | null;
    transcript_days: number | null;
  };
  /** Numbers that are texted when 911 is dialled, E.164 */
  emergency_contacts: string[];
  auto_replies: {
    missed_call: string | null;
    after_hours: string | null;
    /** A person gets one of these texts at most in this many hours */
    once_every_hours: number;
  };
  /** Your own names and texts, returned unchanged. */
  metadata: Record<string, string>;
  created_at: string;
}

export interface TestCallAudio {
  object: 'test_call_audio';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** WebSocket address of the gateway that holds the audio; use it as it is */
  url: string;
  /** Opens the socket once. Shown only here */
  token: string;
  expires_at: string;
}

export interface TestClock {
  object: 'test_clock';
  now: string;
}

export interface TestFault {
  object: 'test_fault';
  kind: 'delay' | 'duplicate' | 'reorder' | 'drop' | 'assign_failed' | 'send_unavailable' | 'send_unknown';
  times: number | null;
  /** In seconds. */
  delay_seconds: number | null;
}

export interface TestFaultList {
  data: TestFault[];
}

export interface TestOutboxText {
  /** Id of the message (`msg_…`). */
  message_id: string;
  from: string;
  to: string;
  body: string;
  /** Public addresses of the files that are sent with the text. */
  media_urls: string[];
  at: string;
}

export interface TestOutboxTextList {
  data: TestOutboxText[];
}

export interface TestReset {
  object: 'test_reset';
  now: string;
}

export interface TestReviews {
  object: 'test_reviews';
  mode: 'auto' | 'manual';
}

/** The body of `POST /v1/webhook_endpoints/{endpoint_id}/test`. */
export interface TestWebhookEndpoint {
  event_type?: string | undefined;
}

/** The reply to `POST /v1/webhook_endpoints/{endpoint_id}/test`. */
export interface TestWebhookEndpointReply {
  delivered: boolean;
  /** HTTP status of the reply of the receiver. Null without a reply. */
  response_status: number | null;
  error: string | null;
}

export type TimelineItem = Message | Call | Voicemail | Note;

export interface Transcript {
  object: 'transcript';
  /** Id of the call (`call_…`). */
  call_id: string;
  /** The whole transcript, one line a segment: "Agent: …" or "Customer: …" */
  text: string;
  /** In the order of speaking */
  segments: ({
    speaker: 'agent' | 'customer';
    text: string;
    occurred_at: string;
  })[];
}

/** The body of `POST /v1/calls/{call_id}/transfer`. */
export interface TransferCall {
  /** The new agent: E.164, a web client (wcl_…) or telephone (sip_phone:front) of the tenant, or "voicemail" */
  to: string;
  /**
   * announce: the agent leaves when the new one answers. consult: the agent talks to the new one first, and completes
   * or cancels the transfer
   */
  mode?: 'announce' | 'consult' | undefined;
  /** Spoken to the new agent before it is connected */
  announce_text?: string | undefined;
  /** How long the new agent rings, in seconds. */
  ring_seconds?: number | undefined;
  /**
   * If the new agent does not answer: return joins the customer with the agent or application before, voicemail takes
   * a message, hangup ends the call
   */
  on_no_answer?: 'return' | 'voicemail' | 'hangup' | undefined;
}

/** The body of `PATCH /v1/campaigns/{campaign_id}`. */
export interface UpdateCampaign {
  /** The campaign's own tenant: it cannot change */
  tenant_id?: string | undefined;
  /** Id of the brand (`brd_…`). */
  brand_id?: string | undefined;
  use_case?: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed' | undefined;
  /** What the tenant sends, and why recipients expect it */
  description?: string | undefined;
  sample_messages?: string[] | undefined;
  /** How recipients give their consent */
  opt_in_description?: string | undefined;
  /** A change submits nothing, so it can only be true */
  draft?: true | undefined;
}

/** The body of `PATCH /v1/contacts/{contact_id}`. */
export interface UpdateContact {
  name?: string | undefined;
  company?: string | null | undefined;
  /** Each is one contact’s in the tenant. */
  phone_numbers?: string[] | undefined;
  email?: string | null | undefined;
  /** Your own id of the tenant. */
  external_ref?: string | null | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The body of `PATCH /v1/conversations/{conversation_id}`. */
export interface UpdateConversation {
  /** Two letters, such as AZ. */
  state?: 'open' | 'done' | undefined;
  assignee?: string | null | undefined;
  snoozed_until?: string | null | undefined;
  tags?: string[] | undefined;
  /** Id of the contact (`con_…`). */
  contact_id?: string | null | undefined;
}

/** The body of `PATCH /v1/message_templates/{template_id}`. */
export interface UpdateMessageTemplate {
  name?: string | undefined;
  /** Text with variables in double braces, such as {{first_name}} */
  body?: string | undefined;
}

/** The body of `PATCH /v1/opt_in_forms/{opt_in_form_id}`. */
export interface UpdateOptInForm {
  /** Heading of the page. */
  name?: string | undefined;
  /** Id of the campaign (`cmp_…`). */
  campaign_id?: string | null | undefined;
  consent_text?: string | null | undefined;
  terms_url?: string | null | undefined;
  privacy_url?: string | null | undefined;
  logo_url?: string | null | undefined;
  color?: string | null | undefined;
}

/** The body of `PATCH /v1/phone_numbers/{number_id}`. */
export interface UpdatePhoneNumber {
  /** Id of the routing config (`rtc_…`). */
  routing_config_id?: string | null | undefined;
  /** Id of the campaign (`cmp_…`). */
  campaign_id?: string | null | undefined;
  e911_address_id?: string | null | undefined;
}

/** The body of `PATCH /v1/port_ins/{port_in_id}`. */
export interface UpdatePortIn {
  /** US numbers, all from one losing carrier */
  phone_numbers?: string[] | undefined;
  /** Account holder in the records of the losing carrier */
  entity_name?: string | undefined;
  /** Who may order the port-in for the holder of the account. */
  authorized_person?: string | undefined;
  /** A US number in E.164 */
  billing_phone_number?: string | undefined;
  /** At the losing carrier */
  account_number?: string | undefined;
  /** Address in the records of the losing carrier */
  service_address?: {
    street: string;
    city: string;
    /** Two letters, such as AZ. */
    state: string;
    /** ZIP code. */
    postal_code: string;
  } | undefined;
  /** PIN of the account at the losing carrier. It is never returned. */
  pin?: string | null | undefined;
}

/** The body of `PATCH /v1/queues/{queue_id}`. */
export interface UpdateQueue {
  name?: string | undefined;
  /**
   * Which free agent rings for the next caller: the one without a call for the longest time, the one whose last turn
   * is the longest ago, or all of them
   */
  strategy?: 'longest_idle' | 'round_robin' | 'ring_all' | undefined;
  /** Ids of web clients of the tenant, E.164 numbers, and telephones of your SIP engine: `sip_phone:` and a name */
  agents?: string[] | undefined;
  /** How long an agent rings before the next one does */
  ring_seconds?: number | undefined;
  /** How long an agent gets no caller after any call */
  wrap_up_seconds?: number | undefined;
  /** Callers who may wait; `overflow` follows for the next one */
  max_waiting?: number | undefined;
  /** How long a caller waits before `overflow` follows */
  max_wait_seconds?: number | undefined;
  announce_position_seconds?: number | null | undefined;
  callback_digit?: string | null | undefined;
  overflow?: {
    type: 'ring';
    /**
     * E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and
     * `application`: the software of the platform
     */
    targets: string[];
    /** `simultaneous` rings all targets at once, `sequential` rings them one after the other. */
    strategy?: 'simultaneous' | 'sequential' | undefined;
    /** How long it waits, in seconds. */
    timeout_seconds?: number | undefined;
    /** What follows if no target answers. Null hangs up. */
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
    /**
     * true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it.
     * Absent: false.
     */
    confirm?: boolean | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | RequestedRelay | {
    type: 'queue';
    /** A queue of the tenant */
    queue_id: string;
  } | undefined;
}

/** The body of `PATCH /v1/tenants/{tenant_id}`. */
export interface UpdateTenant {
  name?: string | undefined;
  /** Your own id of the tenant. */
  external_ref?: string | null | undefined;
  /** IANA name */
  timezone?: string | undefined;
  sender_name?: string | null | undefined;
  support_contact?: string | null | undefined;
  quiet_hours?: {
    start?: string | undefined;
    end?: string | undefined;
    /** recipient: the zone of the recipient's area code, and the tenant's where it has none */
    zone: 'recipient' | 'tenant';
    schedule?: ({
      /** The days when the hours begin */
      days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
      start: string;
      /** On the next day if it is before `start` */
      end: string;
    })[] | undefined;
    /**
     * requested: texts with `respect_quiet_hours`. marketing: also every text under a campaign of use_case marketing
     * or mixed. all: every text
     */
    applies_to?: 'requested' | 'marketing' | 'all' | undefined;
  } | null | undefined;
  retention?: {
    message_days?: number | null | undefined;
    recording_days?: number | null | undefined;
    voicemail_days?: number | null | undefined;
    transcript_days?: number | null | undefined;
  } | undefined;
  /** Numbers that are texted when 911 is dialled, E.164 */
  emergency_contacts?: string[] | undefined;
  auto_replies?: {
    missed_call?: string | null | undefined;
    after_hours?: string | null | undefined;
    /** A person gets one of these texts at most in this many hours */
    once_every_hours?: number | undefined;
  } | undefined;
  /** Your own names and texts, returned unchanged. */
  metadata?: Record<string, string> | undefined;
}

/** The body of `PATCH /v1/webhook_endpoints/{endpoint_id}`. */
export interface UpdateWebhookEndpoint {
  /** An https address on the public internet. */
  url?: string | undefined;
  enabled_events?: string[] | null | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | null | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

/** The body of `POST /v1/contacts/upsert`. */
export interface UpsertContacts {
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  contacts: ({
    name: string;
    company?: string | undefined;
    /** Each is one contact’s in the tenant. */
    phone_numbers?: string[] | undefined;
    email?: string | undefined;
    /** Your own id of the tenant. */
    external_ref?: string | undefined;
  })[];
}

export interface UsageSummary {
  object: 'usage_summary';
  mode: 'test' | 'live';
  start: string;
  end: string;
  /**
   * One item for each kind with usage; with group_by=tenant for each tenant and kind, with group_by=day for each day
   * and kind, the earliest day first
   */
  data: ({
    /** Present with group_by=tenant */
    tenant_id?: string;
    /** A day in UTC; present with group_by=day */
    day?: string;
    kind: 'sms_segment_outbound' | 'sms_segment_inbound' | 'mms_outbound' | 'mms_inbound' | 'call_minute_outbound' | 'call_minute_inbound' | 'recording_minute' | 'transcription_minute' | 'stream_minute' | 'number_month' | 'brand_registration' | 'campaign_setup' | 'campaign_month';
    /** Segments, messages, minutes, months or registrations, depending on the kind */
    quantity: number;
  })[];
  /** Present with group_by=tenant */
  has_more?: boolean;
  /** Present with group_by=tenant */
  next_cursor?: string | null;
}

export interface Voicemail {
  id: string;
  object: 'voicemail';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the call (`call_…`). */
  call_id: string;
  /** The conversation with the caller; null for a caller who hides the number */
  conversation_id: string | null;
  /** E.164, a short code or "anonymous" */
  from: string;
  /** In whole seconds. */
  duration_seconds: number;
  /** Null if none was requested, nothing was said, or the message could not be transcribed */
  transcript: string | null;
  /** Plays the audio for an hour, without a key; in events the path of the audio, which needs a key */
  audio_url: string;
  created_at: string;
}

/** The body of `POST /v1/test/calls/{call_id}/voicemail`. */
export interface VoicemailTestCall {
  /** Length of the message, in seconds. */
  seconds?: number | undefined;
  transcript?: string | undefined;
}

export interface VoicemailWithRecordingId {
  id: string;
  object: 'voicemail';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  /** Id of the call (`call_…`). */
  call_id: string;
  /** The conversation with the caller; null for a caller who hides the number */
  conversation_id: string | null;
  /** E.164, a short code or "anonymous" */
  from: string;
  /** In whole seconds. */
  duration_seconds: number;
  /** Null if none was requested, nothing was said, or the message could not be transcribed */
  transcript: string | null;
  /** Plays the audio for an hour, without a key; in events the path of the audio, which needs a key */
  audio_url: string;
  created_at: string;
  /** The audio of the voicemail, as a recording */
  recording_id: string;
  /** The time when its content was deleted; absent until then */
  redacted_at?: string;
}

export interface WebClient {
  id: string;
  object: 'web_client';
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string;
  name: string | null;
  /** Where its person is. Goes before the address of the number that an emergency call is made from */
  e911_address_id: string | null;
  /** The name of the web client in signalling; its password is never shown */
  sip_username: string;
  status: 'active' | 'revoked';
  created_at: string;
}

export interface WebClientToken {
  object: 'web_client_token';
  /** Safe to give to a browser: it logs in this one web client and does nothing else. */
  token: string;
  expires_at: string;
}

export interface WebhookDelivery {
  id: string;
  object: 'webhook_delivery';
  /** Id of the event (`evt_…`). */
  event_id: string;
  event_type: string;
  status: 'pending' | 'delivered' | 'failed' | 'given_up';
  next_attempt_at: string | null;
  /** The latest, oldest first. A retry begins a new round of attempts. */
  attempts: ({
    at: string;
    /** The address that was called. */
    url: string | null;
    /** The headers of the request, by lower-case name. The signatures are there unless it was accepted. */
    request_headers: Record<string, string>;
    /** HTTP status of the reply of the receiver. Null without a reply. */
    response_status: number | null;
    /** In milliseconds. */
    duration_ms: number;
    error: string | null;
    /** Headers of the reply that say who answered and why, such as `server`, `retry-after` and `x-request-id`. */
    response_headers: Record<string, string> | null;
    /** Its first kilobyte. */
    response_body: string | null;
  })[];
}

export interface WebhookDeliveryWithRequestBody {
  id: string;
  object: 'webhook_delivery';
  /** Id of the event (`evt_…`). */
  event_id: string;
  event_type: string;
  status: 'pending' | 'delivered' | 'failed' | 'given_up';
  next_attempt_at: string | null;
  /** The latest, oldest first. A retry begins a new round of attempts. */
  attempts: ({
    at: string;
    /** The address that was called. */
    url: string | null;
    /** The headers of the request, by lower-case name. The signatures are there unless it was accepted. */
    request_headers: Record<string, string>;
    /** HTTP status of the reply of the receiver. Null without a reply. */
    response_status: number | null;
    /** In milliseconds. */
    duration_ms: number;
    error: string | null;
    /** Headers of the reply that say who answered and why, such as `server`, `retry-after` and `x-request-id`. */
    response_headers: Record<string, string> | null;
    /** Its first kilobyte. */
    response_body: string | null;
  })[];
  /** The bytes of the event as they are sent, the same at every attempt. */
  request_body: string;
}

export interface WebhookEndpoint {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  /** Null means all. */
  enabled_events: string[] | null;
  /** The tenant whose events it gets. Null for the events of all tenants and of the account. */
  tenant_id: string | null;
  description: string | null;
  status: 'active' | 'disabled';
  disabled_reason: 'manual' | 'failing' | 'gone' | null;
  /** The first failure since the last delivery that it accepted. Null while it accepts deliveries. */
  failing_since: string | null;
  /** The format of the event. An endpoint keeps the version with which it was created. */
  event_version: string;
  created_at: string;
}

export interface WebhookEndpointWithSecret {
  id: string;
  object: 'webhook_endpoint';
  url: string;
  /** Null means all. */
  enabled_events: string[] | null;
  /** The tenant whose events it gets. Null for the events of all tenants and of the account. */
  tenant_id: string | null;
  description: string | null;
  status: 'active' | 'disabled';
  disabled_reason: 'manual' | 'failing' | 'gone' | null;
  /** The first failure since the last delivery that it accepted. Null while it accepts deliveries. */
  failing_since: string | null;
  /** The format of the event. An endpoint keeps the version with which it was created. */
  event_version: string;
  created_at: string;
  /** Shown in this reply only. */
  secret: string;
}

export interface WebhookReplay {
  id: string;
  object: 'webhook_replay';
  /** Id of the webhook endpoint (`whe_…`). */
  endpoint_id: string;
  start: string;
  end: string;
  /** Null means all. */
  event_types: string[] | null;
  only_missed: boolean;
  /** True if it tries failed deliveries again, in place of making new ones for events. */
  retries_failed: boolean;
  status: 'running' | 'completed' | 'canceled';
  /** Deliveries made, or tried again, so far. */
  delivery_count: number;
  total_count: number | null;
  created_at: string;
  ended_at: string | null;
}

/** The `data` of each type of event. */
export interface EventData {
  /** A text arrived on a number of the tenant. */
  'message.received': Message;
  /** The carrier accepted an outbound text (live carriers that report it). */
  'message.sent': Message;
  /** An outbound text reached the handset. */
  'message.delivered': Message;
  /** An outbound text will not arrive; failure_reason is the reason. */
  'message.failed': MessageWithFailureReason;
  /** A person, the API or an import opted out of texts or of calls where software speaks. */
  'opt_out.created': OptOut;
  /** An opt-out was lifted. */
  'opt_out.removed': OptOut;
  /** A person entered a number on an opt-in form and agreed to its text. */
  'opt_in.submitted': OptInSubmission;
  /** An inbound call started to ring. */
  'call.started': Call;
  /** An outbound call started, by the API or by a web client. */
  'call.placed': Call;
  /** The customer of an outbound call, or a target of an inbound one, answered; never for a voicemail. */
  'call.answered': Call;
  /** A call ended; its status, outcome and duration are final. */
  'call.completed': Call;
  /** An inbound call ended unanswered, and no message was left. */
  'call.missed': Call;
  /** A party of a transcribed call finished an utterance. */
  'call.transcript': CallTranscriptSegment;
  /** The summary of a transcribed call is ready. */
  'call.summary': Call;
  /** A party of a call pressed a key. */
  'call.dtmf': CallDtmf;
  /** A gather ended. */
  'call.gather': CallGather;
  /** A speech that the API requested is over, or was broken off. */
  'call.speech.ended': CallSpeech;
  /** The caller chose an option of a menu. */
  'call.menu': CallMenu;
  /** A transfer started: the new agent rings, and the customer hears hold audio. */
  'call.transfer.started': CallTransfer;
  /** The customer is connected with the new agent, or with the voicemail. */
  'call.transfer.completed': CallTransfer;
  /** The new agent did not take the call; reason says why. */
  'call.transfer.failed': CallTransfer;
  /** A web client, or a telephone at a SIP engine, called 911. */
  'emergency_call.placed': EmergencyCall;
  /** The client of a media stream is connected. */
  'call.stream.started': MediaStreamWithReason;
  /** A media stream ended; billed_seconds is its billed duration. */
  'call.stream.stopped': MediaStreamWithReason;
  /** A media stream could not start, or its audio was lost. */
  'call.stream.failed': MediaStreamWithReason;
  /** A voicemail can be listened to. */
  'voicemail.created': VoicemailWithRecordingId;
  /** The recording of a call can be listened to. */
  'recording.created': RecordingWithRedactedAt;
  /** The vetting of a brand ended. */
  'brand.status_changed': BrandWithPreviousStatus;
  /** A campaign was submitted, approved, rejected, suspended or reinstated. */
  'campaign.status_changed': CampaignWithPreviousStatus;
  /** A phone number changed its status. */
  'number.status_changed': PhoneNumberWithPreviousStatus;
  /** A port-in changed its status. */
  'port_in.status_changed': PortInWithPreviousStatus;
  /** An endpoint was disabled, by hand or because its receiver kept failing. */
  'webhook_endpoint.disabled': WebhookEndpoint;
  /** The prepaid balance fell below what registrations and purchases need. */
  'balance.low': Balance;
  /** Another carrier asks for a number: the request is pending, carried out or rejected. */
  'number.port_out': PhoneNumberWithPortOut;
  /** The agent of a relay is connected. */
  'call.relay.started': CallRelayWithBilledSeconds;
  /** A relay ended, for any reason; handoff_data is what its agent has handed over. */
  'call.relay.ended': CallRelayWithBilledSeconds;
  /** The new agent of a consult transfer answered, and talks to the agent while the customer is on hold. */
  'call.transfer.answered': CallTransfer;
  /** A machine or a fax answered a call with `machine_detection`. */
  'call.machine_detected': CallMachine;
  /** The machine that answered a call with `machine_detection` ended its greeting: a message may start. */
  'call.greeting_ended': CallGreeting;
  /** A caller waits in a queue. */
  'call.queued': CallQueued;
  /** A caller does not wait in a queue any more; reason says why. */
  'call.dequeued': CallDequeued;
  /**
   * State, assignee, snooze, tags or contact of a conversation changed: by a request, at the end of a snooze, or by a
   * text, missed call or voicemail of the person. Or a note was written or deleted.
   */
  'conversation.updated': ConversationWithChanged;
}

/** The types of events. More will be added: ignore a type that you do not know. */
export type EventType = keyof EventData;

/** What all events have. */
export interface EventEnvelope {
  id: string;
  object: 'event';
  /** The format of the event. An endpoint keeps the version with which it was created. */
  event_version: string;
  created_at: string;
  /** Id of the tenant (`tnt_…`). */
  tenant_id: string | null;
  /** Id of the resource that the event is about. `sequence` counts its events. */
  resource_id: string;
  /** Position among the resource's events, from 1. */
  sequence: number;
}

/** An event of one type. */
export type EventOf<T extends EventType> = EventEnvelope & { type: T; data: EventData[T] };

/** An event; `type` says what is in `data`. */
export type Event = { [T in EventType]: EventOf<T> }[EventType];
