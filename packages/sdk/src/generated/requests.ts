// Made from openapi.json by `npm run gen`. Edit the document, not this file.
import type { Call, MediaStream, Message, PortInDocument, TestFault, Voicemail, MenuBehavior, RequestedMenu } from './schemas.ts';

/** The query of `GET /v1/tenants`. */
export interface ListTenantsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  external_ref?: string | undefined;
}

/** The body of `POST /v1/tenants`. */
export interface CreateTenantRequest {
  name: string;
  external_ref?: string | null | undefined;
  /** IANA name */
  timezone?: string | undefined;
  sender_name?: string | null | undefined;
  support_contact?: string | null | undefined;
  quiet_hours?: {
    start: string;
    end: string;
    /** recipient: the zone of the recipient's area code, and the tenant's where it has none */
    zone: 'recipient' | 'tenant';
  } | null | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The body of `PATCH /v1/tenants/{tenant_id}`. */
export interface UpdateTenantRequest {
  name?: string | undefined;
  external_ref?: string | null | undefined;
  /** IANA name */
  timezone?: string | undefined;
  sender_name?: string | null | undefined;
  support_contact?: string | null | undefined;
  quiet_hours?: {
    start: string;
    end: string;
    /** recipient: the zone of the recipient's area code, and the tenant's where it has none */
    zone: 'recipient' | 'tenant';
  } | null | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The query of `GET /v1/phone_numbers/available`. */
export interface SearchAvailableNumbersQuery {
  area_code?: string | undefined;
  /** City name */
  locality?: string | undefined;
  /** Digits found anywhere in the ten national digits */
  contains?: string | undefined;
  limit?: number | undefined;
}

/** The reply of `GET /v1/phone_numbers/available`. */
export interface SearchAvailableNumbersReply {
  data: ({
    /** E.164 */
    phone_number: string;
    locality: string;
    region: string;
    capabilities: ('sms' | 'mms' | 'voice')[];
    /** Decimal, such as 1.00 */
    monthly_price_usd: string;
  })[];
}

/** The query of `GET /v1/phone_numbers`. */
export interface ListPhoneNumbersQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/phone_numbers`. */
export interface PurchasePhoneNumberRequest {
  tenant_id: string;
  /** E.164, from a search */
  phone_number: string;
  routing_config_id?: string | null | undefined;
  campaign_id?: string | null | undefined;
}

/** The body of `PATCH /v1/phone_numbers/{number_id}`. */
export interface UpdatePhoneNumberRequest {
  routing_config_id?: string | null | undefined;
  campaign_id?: string | null | undefined;
  e911_address_id?: string | null | undefined;
}

/** The query of `GET /v1/e911_addresses`. */
export interface ListE911AddressesQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/e911_addresses`. */
export interface CreateE911AddressRequest {
  tenant_id: string;
  /** House number and street */
  street: string;
  unit?: string | null | undefined;
  city: string;
  state: string;
  postal_code: string;
}

/** The body of `POST /v1/port_ins/check`. */
export interface CheckPortabilityRequest {
  /** US numbers, all from one losing carrier */
  phone_numbers: string[];
}

/** The reply of `POST /v1/port_ins/check`. */
export interface CheckPortabilityReply {
  data: ({
    /** E.164 */
    phone_number: string;
    portable: boolean;
    /** Why not; null for a portable number */
    reason: string | null;
  })[];
}

/** The query of `GET /v1/port_ins`. */
export interface ListPortInsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  status?: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled' | undefined;
}

/** The body of `POST /v1/port_ins`. */
export interface CreatePortInRequest {
  tenant_id: string;
  /** US numbers, all from one losing carrier */
  phone_numbers: string[];
  /** Account holder in the records of the losing carrier */
  entity_name: string;
  authorized_person: string;
  /** E.164 */
  billing_phone_number: string;
  /** At the losing carrier */
  account_number: string;
  /** Address in the records of the losing carrier */
  service_address: {
    street: string;
    city: string;
    state: string;
    postal_code: string;
  };
  pin?: string | null | undefined;
}

/** The body of `PATCH /v1/port_ins/{port_in_id}`. */
export interface UpdatePortInRequest {
  /** US numbers, all from one losing carrier */
  phone_numbers?: string[] | undefined;
  /** Account holder in the records of the losing carrier */
  entity_name?: string | undefined;
  authorized_person?: string | undefined;
  /** E.164 */
  billing_phone_number?: string | undefined;
  /** At the losing carrier */
  account_number?: string | undefined;
  /** Address in the records of the losing carrier */
  service_address?: {
    street: string;
    city: string;
    state: string;
    postal_code: string;
  } | undefined;
  pin?: string | null | undefined;
}

/** The reply of `GET /v1/port_ins/{port_in_id}/documents`. */
export interface ListPortInDocumentsReply {
  data: PortInDocument[];
}

/** The query of `POST /v1/port_ins/{port_in_id}/documents`. */
export interface CreatePortInDocumentQuery {
  kind: 'letter_of_authorization' | 'invoice';
}

/** The query of `GET /v1/routing_configs`. */
export interface ListRoutingConfigsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/routing_configs`. */
export interface CreateRoutingConfigRequest {
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
    /** E.164 numbers, ids of web clients of the tenant, and `application`: the software of the platform */
    targets: string[];
    strategy?: 'simultaneous' | 'sequential' | undefined;
    timeout_seconds?: number | undefined;
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
  } | RequestedMenu;
  closed_behavior?: {
    type: 'ring';
    /** E.164 numbers, ids of web clients of the tenant, and `application`: the software of the platform */
    targets: string[];
    strategy?: 'simultaneous' | 'sequential' | undefined;
    timeout_seconds?: number | undefined;
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | undefined;
  recording?: {
    enabled?: boolean | undefined;
    consent_announcement?: boolean | undefined;
  } | undefined;
  hold_audio_url?: string | null | undefined;
  hold_audio_status?: 'pending' | 'ready' | 'failed' | null | undefined;
  hold_audio_error?: string | null | undefined;
}

/** The body of `PUT /v1/routing_configs/{routing_config_id}`. */
export interface ReplaceRoutingConfigRequest {
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
    /** E.164 numbers, ids of web clients of the tenant, and `application`: the software of the platform */
    targets: string[];
    strategy?: 'simultaneous' | 'sequential' | undefined;
    timeout_seconds?: number | undefined;
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
  } | RequestedMenu;
  closed_behavior?: {
    type: 'ring';
    /** E.164 numbers, ids of web clients of the tenant, and `application`: the software of the platform */
    targets: string[];
    strategy?: 'simultaneous' | 'sequential' | undefined;
    timeout_seconds?: number | undefined;
    no_answer?: {
      type: 'voicemail';
      /** Read out to the caller */
      greeting_text?: string | undefined;
      /** Whether the message is also transcribed */
      transcribe?: boolean | undefined;
    } | null | undefined;
  } | {
    type: 'voicemail';
    /** Read out to the caller */
    greeting_text?: string | undefined;
    /** Whether the message is also transcribed */
    transcribe?: boolean | undefined;
  } | RequestedMenu | undefined;
  recording?: {
    enabled?: boolean | undefined;
    consent_announcement?: boolean | undefined;
  } | undefined;
  hold_audio_url?: string | null | undefined;
  hold_audio_status?: 'pending' | 'ready' | 'failed' | null | undefined;
  hold_audio_error?: string | null | undefined;
}

/** The body of `POST /v1/routing_configs/{routing_config_id}/evaluate`. */
export interface EvaluateRoutingConfigRequest {
  /** RFC 3339; the present by default */
  at?: string | undefined;
  /** Keys that the caller presses in menus, in this order */
  digits?: string | undefined;
}

/** The reply of `POST /v1/routing_configs/{routing_config_id}/evaluate`. */
export interface EvaluateRoutingConfigReply {
  at: string;
  open: boolean;
  behavior: {
    type: 'ring';
    targets: string[];
    strategy: 'simultaneous' | 'sequential';
    timeout_seconds: number;
    no_answer: {
      type: 'voicemail';
      greeting_text: string;
      transcribe: boolean;
    } | null;
  } | {
    type: 'voicemail';
    greeting_text: string;
    transcribe: boolean;
  } | MenuBehavior;
  /** With `digits`: those of them that chose an option, in order */
  path?: string;
  /** Targets that would ring, in order; empty if `behavior` is no ring */
  targets: string[];
}

/** The query of `GET /v1/brands`. */
export interface ListBrandsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The body of `POST /v1/brands`. */
export interface CreateBrandRequest {
  legal_name: string;
  dba?: string | null | undefined;
  /** US tax id */
  ein: string;
  entity_type: 'private_company' | 'public_company' | 'non_profit' | 'sole_proprietor';
  website?: string | null | undefined;
  contact_email: string;
  phone: string;
  street: string;
  city: string;
  state: string;
  postal_code: string;
  tenant_id?: string | null | undefined;
}

/** The query of `GET /v1/campaigns`. */
export interface ListCampaignsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  status?: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended' | undefined;
}

/** The body of `POST /v1/campaigns`. */
export interface CreateCampaignRequest {
  tenant_id: string;
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

/** The body of `POST /v1/campaigns/check`. */
export interface CheckCampaignRequest {
  tenant_id?: string | undefined;
  brand_id?: string | undefined;
  use_case: 'customer_care' | 'appointment_reminders' | 'marketing' | 'two_factor' | 'mixed';
  /** What the tenant sends, and why recipients expect it */
  description: string;
  sample_messages: string[];
  opt_in_description: string;
  draft?: boolean | undefined;
}

/** The reply of `POST /v1/campaigns/check`. */
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

/** The body of `PATCH /v1/campaigns/{campaign_id}`. */
export interface UpdateCampaignRequest {
  /** The campaign's own tenant: it cannot change */
  tenant_id?: string | undefined;
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

/** The body of `POST /v1/messages`. */
export interface SendMessageRequest {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** E.164 */
  to: string;
  /** At most 1600 characters */
  body?: string | undefined;
  media_urls?: string[] | undefined;
  /** The template that makes the body, instead of body */
  template_id?: string | undefined;
  variables?: Record<string, string> | undefined;
  /** RFC 3339, from 1 minute to 30 days ahead: the text waits until then */
  send_at?: string | undefined;
  /** In the quiet hours of the tenant the text waits for their end */
  respect_quiet_hours?: boolean | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The query of `GET /v1/messages`. */
export interface ListMessagesQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  conversation_id?: string | undefined;
  direction?: 'inbound' | 'outbound' | undefined;
  /** E.164, a short code or "anonymous" */
  from?: string | undefined;
  /** E.164, a short code or "anonymous" */
  to?: string | undefined;
  status?: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled' | 'received' | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The body of `POST /v1/messages/check`. */
export interface CheckMessageRequest {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** E.164 */
  to: string;
  /** At most 1600 characters */
  body?: string | undefined;
  media_urls?: string[] | undefined;
  /** The template that makes the body, instead of body */
  template_id?: string | undefined;
  variables?: Record<string, string> | undefined;
  /** RFC 3339, from 1 minute to 30 days ahead: the text waits until then */
  send_at?: string | undefined;
  /** In the quiet hours of the tenant the text waits for their end */
  respect_quiet_hours?: boolean | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The reply of `POST /v1/messages/check`. */
export interface CheckMessageReply {
  accepted: boolean;
  segments: number;
  encoding: 'gsm7' | 'ucs2';
  /** null: it would be sent at once */
  send_at: string | null;
  error: {
    code: 'missing_api_key' | 'malformed_authorization' | 'invalid_api_key' | 'account_suspended' | 'tenant_restricted_key' | 'key_not_permitted' | 'api_key_not_found' | 'test_mode_only' | 'rate_limited' | 'invalid_json' | 'invalid_body' | 'unreadable_body' | 'unsupported_media_type' | 'missing_fields' | 'not_found' | 'method_not_allowed' | 'upgrade_required' | 'idempotency_key_reuse' | 'idempotency_in_progress' | 'invalid_cursor' | 'invalid_start' | 'invalid_end' | 'invalid_range' | 'empty_message' | 'body_too_long' | 'message_too_long' | 'invalid_send_at' | 'message_not_cancellable' | 'template_not_found' | 'missing_variables' | 'media_not_found' | 'invalid_to' | 'recipient_opted_out' | 'opt_out_not_removable' | 'from_number_not_found' | 'number_not_sms_capable' | 'message_not_found' | 'conversation_not_found' | 'invalid_phone' | 'number_unavailable' | 'phone_number_not_found' | 'e911_address_not_found' | 'e911_address_invalid' | 'e911_address_in_use' | 'invalid_phone_numbers' | 'numbers_not_portable' | 'port_in_not_found' | 'port_in_not_submittable' | 'port_in_not_cancellable' | 'unsupported_document' | 'document_not_found' | 'too_many_documents' | 'invalid_service_address' | 'destination_not_supported' | 'routing_config_not_found' | 'routing_config_in_use' | 'invalid_to_number' | 'invalid_connect_to' | 'call_not_found' | 'voicemail_not_found' | 'recording_not_found' | 'web_client_not_found' | 'call_not_active' | 'gather_in_progress' | 'speech_queue_full' | 'transfer_in_progress' | 'stream_not_found' | 'stream_already_active' | 'speech_unavailable' | 'brand_not_found' | 'campaign_not_found' | 'brand_not_vetted' | 'campaign_not_approved' | 'carrier_assign_failed' | 'campaign_not_editable' | 'review_not_pending' | 'legal_name_required' | 'invalid_ein' | 'invalid_entity_type' | 'invalid_billing_phone_number' | 'invalid_contact_email' | 'invalid_use_case' | 'description_required' | 'invalid_sample_messages' | 'opt_in_form_not_found' | 'missing_consent' | 'tenant_not_found' | 'name_required' | 'invalid_timezone' | 'external_ref_taken' | 'webhook_endpoint_not_found' | 'too_many_endpoints' | 'delivery_not_found' | 'event_not_found' | 'url_required' | 'invalid_url' | 'unknown_event_type' | 'insufficient_balance' | 'internal_error' | 'database_unavailable' | 'service_paused' | 'storage_unavailable' | 'carrier_unavailable';
    message: string;
    docs_url: string;
    param?: string;
    /** Of bad input: all mistakes that were found, the one in `param` first */
    fields?: {
      param: string;
      code: string;
      message: string;
    }[];
    request_id: string;
  } | null;
}

/** The body of `POST /v1/message_templates`. */
export interface CreateMessageTemplateRequest {
  tenant_id?: string | null | undefined;
  name: string;
  /** Text with variables in double braces, such as {{first_name}} */
  body: string;
}

/** The query of `GET /v1/message_templates`. */
export interface ListMessageTemplatesQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `PATCH /v1/message_templates/{template_id}`. */
export interface UpdateMessageTemplateRequest {
  name?: string | undefined;
  /** Text with variables in double braces, such as {{first_name}} */
  body?: string | undefined;
}

/** The query of `GET /v1/messages/{message_id}/media/{position}`. */
export interface GetMessageMediaQuery {
  /** Of a signed link: its end, in Unix seconds */
  expires?: string | undefined;
  /** Of a signed link: stands for an API key */
  signature?: string | undefined;
}

/** The query of `GET /v1/conversations`. */
export interface ListConversationsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  phone_number_id?: string | undefined;
  /** E.164, a short code or "anonymous" */
  external_number?: string | undefined;
  /** Whether the person has opted out of the tenant's texts */
  opted_out?: boolean | undefined;
}

/** The query of `GET /v1/conversations/{conversation_id}/timeline`. */
export interface GetConversationTimelineQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** An item of `GET /v1/conversations/{conversation_id}/timeline`. */
export type GetConversationTimelineItem = Message | Call | Voicemail;

/** The body of `POST /v1/calls`. */
export interface PlaceCallRequest {
  /** A number of yours: its id (num_…) or its E.164 form */
  from: string;
  /** The customer, E.164 */
  to: string;
  /**
   * The agent, who rings first: E.164 or a web client of the tenant (wcl_…). With "application" your software talks to
   * the customer
   */
  connect_to: string;
  transcribe?: boolean | undefined;
  /** Both parties hear an announcement first */
  record?: boolean | undefined;
}

/** The query of `GET /v1/calls`. */
export interface ListCallsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  phone_number_id?: string | undefined;
  direction?: 'inbound' | 'outbound' | undefined;
  status?: 'dialing' | 'ringing' | 'in_progress' | 'completed' | 'failed' | 'missed' | undefined;
  outcome?: 'answered' | 'voicemail' | 'missed' | 'no_answer' | 'busy' | 'canceled' | 'failed' | 'no_application' | undefined;
  /** E.164, a short code or "anonymous" */
  external_number?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The body of `POST /v1/calls/{call_id}/gather`. */
export interface StartGatherRequest {
  /** Spoken to the customer */
  prompt: string;
  max_digits?: number | undefined;
  /** Ends the input; it is not among the digits */
  terminator?: string | undefined;
  /** How long each digit may take once the prompt is over */
  timeout_ms?: number | undefined;
}

/** The reply of `POST /v1/calls/{call_id}/gather`. */
export interface StartGatherReply {
  call_id: string;
  status: 'listening';
}

/** The body of `POST /v1/calls/{call_id}/dtmf`. */
export interface SendDtmfRequest {
  /** w pauses half a second, W one */
  digits: string;
}

/** The reply of `POST /v1/calls/{call_id}/dtmf`. */
export interface SendDtmfReply {
  call_id: string;
  digits: string;
  status: 'sent';
}

/** The reply of `POST /v1/calls/{call_id}/transcription`. */
export interface StartTranscriptionReply {
  call_id: string;
  status: 'transcribing';
}

/** The body of `POST /v1/calls/{call_id}/speak`. */
export interface SpeakCallRequest {
  /** Spoken as it is */
  text: string;
  /** Who hears it */
  to?: 'customer' | 'agent' | 'both' | undefined;
}

/** The reply of `POST /v1/calls/{call_id}/speak`. */
export interface SpeakCallReply {
  call_id: string;
  /** call.speech.ended has the same id */
  speech_id: string;
  status: 'speaking';
}

/** The reply of `POST /v1/calls/{call_id}/speak/stop`. */
export interface StopCallSpeakReply {
  call_id: string;
  status: 'stopped';
}

/** The body of `POST /v1/calls/{call_id}/transfer`. */
export interface TransferCallRequest {
  /** The new agent: E.164, a web client of the tenant (wcl_…), or "voicemail" */
  to: string;
  /** Spoken to the new agent before the customer is connected */
  announce_text?: string | undefined;
  ring_seconds?: number | undefined;
  /**
   * If the new agent does not answer: return joins the customer with the agent or application before, voicemail takes
   * a message, hangup ends the call
   */
  on_no_answer?: 'return' | 'voicemail' | 'hangup' | undefined;
}

/** The body of `POST /v1/calls/{call_id}/streams`. */
export interface CreateCallStreamRequest {
  /** With bidirectional the client can play audio */
  direction?: 'fork' | 'bidirectional' | undefined;
  /** inbound is what the customer says, outbound what the customer hears */
  track?: 'inbound' | 'outbound' | 'both' | undefined;
}

/** The reply of `GET /v1/calls/{call_id}/streams`. */
export interface ListCallStreamsReply {
  /** The latest ones, newest first */
  data: MediaStream[];
}

/** The query of `GET /v1/recordings`. */
export interface ListRecordingsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  call_id?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The query of `GET /v1/recordings/{recording_id}/audio`. */
export interface GetRecordingAudioQuery {
  /** Of a signed link: its end, in Unix seconds */
  expires?: string | undefined;
  /** Of a signed link: stands for an API key */
  signature?: string | undefined;
}

/** The query of `GET /v1/voicemails`. */
export interface ListVoicemailsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The query of `GET /v1/voicemails/{voicemail_id}/audio`. */
export interface GetVoicemailAudioQuery {
  /** Of a signed link: its end, in Unix seconds */
  expires?: string | undefined;
  /** Of a signed link: stands for an API key */
  signature?: string | undefined;
}

/** The query of `GET /v1/web_clients`. */
export interface ListWebClientsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/web_clients`. */
export interface CreateWebClientRequest {
  tenant_id: string;
  name?: string | null | undefined;
}

/** The query of `GET /v1/opt_outs`. */
export interface ListOptOutsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/opt_outs`. */
export interface CreateOptOutRequest {
  tenant_id: string;
  external_number: string;
  source?: 'api' | 'import' | undefined;
}

/** The query of `DELETE /v1/opt_outs/{external_number}`. */
export interface RemoveOptOutQuery {
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/webhook_endpoints`. */
export interface ListWebhookEndpointsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The body of `POST /v1/webhook_endpoints`. */
export interface CreateWebhookEndpointRequest {
  /** An https address on the public internet. */
  url: string;
  enabled_events?: string[] | null | undefined;
  description?: string | null | undefined;
}

/** The body of `PATCH /v1/webhook_endpoints/{endpoint_id}`. */
export interface UpdateWebhookEndpointRequest {
  /** An https address on the public internet. */
  url?: string | undefined;
  enabled_events?: string[] | null | undefined;
  description?: string | null | undefined;
  status?: 'active' | 'disabled' | undefined;
}

/** The body of `POST /v1/webhook_endpoints/{endpoint_id}/test`. */
export interface TestWebhookEndpointRequest {
  event_type?: string | undefined;
}

/** The reply of `POST /v1/webhook_endpoints/{endpoint_id}/test`. */
export interface TestWebhookEndpointReply {
  delivered: boolean;
  response_status: number | null;
  error: string | null;
}

/** The query of `GET /v1/webhook_endpoints/{endpoint_id}/deliveries`. */
export interface ListWebhookEndpointDeliveriesQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  status?: 'pending' | 'delivered' | 'failed' | 'given_up' | undefined;
  event_id?: string | undefined;
}

/** The query of `GET /v1/events`. */
export interface ListEventsQuery {
  tenant_id?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
  type?: string | undefined;
  resource_id?: string | undefined;
  /** asc is for catching up: an event is listed once no other event can come before it any more. */
  order?: 'desc' | 'asc' | undefined;
  limit?: number | undefined;
  /** next_cursor of a page, or the id of an event */
  after?: string | undefined;
}

/** The body of `POST /v1/events/{event_id}/resend`. */
export interface ResendEventRequest {
  endpoint_id?: string | undefined;
}

/** The body of `POST /v1/realtime/tokens`. */
export interface CreateRealtimeTokenRequest {
  /** The token gives this tenant's events only. A tenant's key needs no tenant_id. */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/opt_in_forms`. */
export interface ListOptInFormsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/opt_in_forms`. */
export interface CreateOptInFormRequest {
  tenant_id: string;
  /** Heading of the page. */
  name: string;
  campaign_id?: string | null | undefined;
  consent_text?: string | null | undefined;
  terms_url?: string | null | undefined;
  privacy_url?: string | null | undefined;
  logo_url?: string | null | undefined;
  color?: string | null | undefined;
}

/** The body of `PATCH /v1/opt_in_forms/{opt_in_form_id}`. */
export interface UpdateOptInFormRequest {
  /** Heading of the page. */
  name?: string | undefined;
  campaign_id?: string | null | undefined;
  consent_text?: string | null | undefined;
  terms_url?: string | null | undefined;
  privacy_url?: string | null | undefined;
  logo_url?: string | null | undefined;
  color?: string | null | undefined;
}

/** The query of `GET /v1/opt_in_forms/{opt_in_form_id}/submissions`. */
export interface ListOptInFormSubmissionsQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Only what this number agreed to. */
  phone_number?: string | undefined;
}

/** The query of `GET /v1/api_keys`. */
export interface ListApiKeysQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  tenant_id?: string | undefined;
}

/** The body of `POST /v1/api_keys`. */
export interface CreateApiKeyRequest {
  name: string;
  tenant_id?: string | null | undefined;
}

/** The body of `POST /v1/api_keys/{key_id}/rotate`. */
export interface RotateApiKeyRequest {
  /** How long the old key stays valid. */
  expires_in_seconds?: number | undefined;
}

/** The query of `GET /v1/audit_log`. */
export interface GetAuditLogQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/usage`. */
export interface GetUsageQuery {
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
  tenant_id?: string | undefined;
  /** tenant: usage of each tenant, in pages, the newest tenant first */
  group_by?: 'tenant' | undefined;
  /** Tenants on a page, by default 100; with group_by only */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The reply of `GET /v1/prices`. */
export interface ListPricesReply {
  data: ({
    kind: 'sms_segment_outbound' | 'sms_segment_inbound' | 'mms_outbound' | 'mms_inbound' | 'call_minute_outbound' | 'call_minute_inbound' | 'recording_minute' | 'transcription_minute' | 'stream_minute' | 'number_month' | 'brand_registration' | 'campaign_setup' | 'campaign_month';
    unit: 'segment' | 'message' | 'minute' | 'month' | 'registration';
    /** The price of one unit, decimal with two to six places */
    amount_usd: string;
  })[];
}

/** The query of `GET /v1/balance/entries`. */
export interface ListBalanceEntriesQuery {
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The body of `POST /v1/test/inbound_messages`. */
export interface SimulateInboundMessageRequest {
  /** E.164, a short code or "anonymous" */
  from: string;
  to: string;
  /** At most 1600 characters */
  body?: string | undefined;
  media_urls?: string[] | undefined;
}

/** The body of `POST /v1/test/messages/{message_id}/receipt`. */
export interface SimulateMessageReceiptRequest {
  status: 'sent' | 'delivered' | 'failed';
  failure_reason?: 'carrier_rejected' | 'send_failed' | 'unreachable' | 'spam_blocked' | 'daily_cap_exceeded' | 'expired' | 'recipient_opted_out' | 'campaign_suspended' | null | undefined;
}

/** The query of `GET /v1/test/outbox`. */
export interface ListTestOutboxQuery {
  /** E.164, a short code or "anonymous" */
  to?: string | undefined;
}

/** The reply of `GET /v1/test/outbox`. */
export interface ListTestOutboxReply {
  data: {
    message_id: string;
    from: string;
    to: string;
    body: string;
    media_urls: string[];
    at: string;
  }[];
}

/** The body of `POST /v1/test/reviews`. */
export interface SetTestReviewsRequest {
  mode: 'auto' | 'manual';
}

/** The body of `POST /v1/test/brands/{brand_id}/review`. */
export interface ReviewTestBrandRequest {
  result: 'approved' | 'rejected' | 'suspended';
  reason?: string | null | undefined;
}

/** The body of `POST /v1/test/campaigns/{campaign_id}/review`. */
export interface ReviewTestCampaignRequest {
  result: 'approved' | 'rejected' | 'suspended';
  reason?: string | null | undefined;
}

/** The body of `POST /v1/test/port_ins/{port_in_id}/advance`. */
export interface AdvanceTestPortInRequest {
  status: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';
  status_detail?: string | null | undefined;
}

/** The body of `POST /v1/test/inbound_calls`. */
export interface CreateTestInboundCallRequest {
  /** E.164, a short code or "anonymous" */
  from: string;
  to: string;
  /** Steps such as: ring 3, answer, say "Hello", press 1, wait 2, hangup */
  script?: string | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/answer`. */
export interface AnswerTestCallRequest {
  /** One of several that ring; the first by default */
  target?: string | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/hangup`. */
export interface HangupTestCallRequest {
  party?: 'agent' | 'customer' | undefined;
  /** One of several agents; all by default */
  target?: string | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/dtmf`. */
export interface DtmfTestCallRequest {
  digits: string;
  party?: 'agent' | 'customer' | undefined;
}

/** The body of `POST /v1/test/calls/{call_id}/speech`. */
export interface SpeechTestCallRequest {
  speaker: 'agent' | 'customer';
  text: string;
}

/** The body of `POST /v1/test/calls/{call_id}/voicemail`. */
export interface VoicemailTestCallRequest {
  seconds?: number | undefined;
  transcript?: string | undefined;
}

/** The body of `POST /v1/test/clock`. */
export interface AdvanceTestClockRequest {
  advance_seconds: number;
}

/** The reply of `GET /v1/test/faults`. */
export interface ListTestFaultsReply {
  data: TestFault[];
}

/** The body of `POST /v1/test/faults`. */
export interface SetTestFaultRequest {
  kind: 'delay' | 'duplicate' | 'reorder' | 'drop' | 'assign_failed' | 'send_unavailable' | 'send_unknown';
  times?: number | null | undefined;
  delay_seconds?: number | null | undefined;
}
