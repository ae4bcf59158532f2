// Made from openapi.json by `npm run gen`. Edit the document, not this file.

/** The query of `GET /v1/tenants`. */
export interface ListTenantsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Your own id of the tenant. */
  external_ref?: string | undefined;
  /** The start of each word of the name. */
  q?: string | undefined;
}

/** The query of `GET /v1/phone_numbers/available`. */
export interface SearchAvailableNumbersQuery {
  /** Three digits, such as 602. */
  area_code?: string | undefined;
  /** City name */
  locality?: string | undefined;
  /** Digits found anywhere in the ten national digits */
  contains?: string | undefined;
  /** Most items of the page. */
  limit?: number | undefined;
}

/** The query of `GET /v1/phone_numbers`. */
export interface ListPhoneNumbersQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/e911_addresses`. */
export interface ListE911AddressesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/port_ins`. */
export interface ListPortInsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Only those with this status. */
  status?: 'draft' | 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled' | undefined;
}

/** The query of `POST /v1/port_ins/{port_in_id}/documents`. */
export interface CreatePortInDocumentQuery {
  /** What the document is. */
  kind: 'letter_of_authorization' | 'invoice';
}

/** The query of `GET /v1/routing_configs`. */
export interface ListRoutingConfigsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/routing_configs/{routing_config_id}`. */
export interface GetRoutingConfigQuery {
  /** RFC 3339: returns the config as it was at this moment. The present by default */
  at?: string | undefined;
}

/** The query of `GET /v1/brands`. */
export interface ListBrandsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/campaigns`. */
export interface ListCampaignsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Only those in this state. */
  status?: 'draft' | 'pending_review' | 'approved' | 'rejected' | 'suspended' | undefined;
}

/** The query of `GET /v1/messages`. */
export interface ListMessagesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Id of the conversation (`cnv_…`). */
  conversation_id?: string | undefined;
  /** Only those of this direction. */
  direction?: 'inbound' | 'outbound' | undefined;
  /** E.164, a short code or "anonymous" */
  from?: string | undefined;
  /** E.164, a short code or "anonymous" */
  to?: string | undefined;
  /** Only those with this status. */
  status?: 'scheduled' | 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled' | 'received' | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The query of `GET /v1/message_templates`. */
export interface ListMessageTemplatesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/contacts`. */
export interface ListContactsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** The start of each word of the name or of the company. */
  q?: string | undefined;
  /** E.164, a short code or "anonymous" */
  phone_number?: string | undefined;
  /** Up to 50 numbers in E.164, separated by commas: the contacts that have one of them. */
  phone_numbers?: string | undefined;
  /** Your own id of the tenant. */
  external_ref?: string | undefined;
}

/** The query of `GET /v1/search`. */
export interface SearchQuery {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** An id, a reference, the start of each word of a name, or a number in any usual writing. */
  q: string;
  /** Most items of the page. */
  limit?: number | undefined;
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
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Id of the phone number (`num_…`). */
  phone_number_id?: string | undefined;
  /** E.164, a short code or "anonymous" */
  external_number?: string | undefined;
  /** Whether the person has opted out of the tenant's texts */
  opted_out?: boolean | undefined;
  /** The state */
  state?: 'open' | 'done' | undefined;
  /** Your own id of the user, or `none`: nobody has it */
  assignee?: string | undefined;
  /** One of its tags */
  tag?: string | undefined;
  /** Id of the contact (`con_…`). */
  contact_id?: string | undefined;
  /** Your own id of the user whose read state this is */
  reader?: string | undefined;
  /** With `reader`: whether the reader has something to read */
  unread?: boolean | undefined;
}

/** The query of `GET /v1/conversations/{conversation_id}`. */
export interface GetConversationQuery {
  /** Your own id of the user whose read state this is */
  reader?: string | undefined;
}

/** The query of `GET /v1/conversations/{conversation_id}/timeline`. */
export interface GetConversationTimelineQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/conversations/{conversation_id}/notes`. */
export interface ListConversationNotesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/calls`. */
export interface ListCallsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Id of the phone number (`num_…`). */
  phone_number_id?: string | undefined;
  /** Only those of this direction. */
  direction?: 'inbound' | 'outbound' | undefined;
  /** Only those with this status. */
  status?: 'dialing' | 'ringing' | 'in_progress' | 'completed' | 'failed' | 'missed' | undefined;
  /** Only those with this outcome. */
  outcome?: 'answered' | 'voicemail' | 'missed' | 'no_answer' | 'busy' | 'canceled' | 'failed' | 'no_application' | undefined;
  /** Only inbound calls whose route has this reason. */
  route_reason?: 'answered' | 'no_answer' | 'closed' | 'no_routing' | 'unreachable' | 'overflow' | undefined;
  /** E.164, a short code or "anonymous" */
  external_number?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
}

/** The query of `GET /v1/recordings`. */
export interface ListRecordingsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** Id of the call (`call_…`). */
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
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
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
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/sip_phones`. */
export interface ListSipPhonesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/queues`. */
export interface ListQueuesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/opt_outs/candidates`. */
export interface ListOptOutCandidatesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/opt_outs`. */
export interface ListOptOutsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** E.164, a short code or "anonymous" */
  external_number?: string | undefined;
}

/** The query of `DELETE /v1/opt_outs/{external_number}`. */
export interface RemoveOptOutQuery {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/webhook_endpoints`. */
export interface ListWebhookEndpointsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/webhook_endpoints/{endpoint_id}/deliveries`. */
export interface ListWebhookEndpointDeliveriesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Only those with this status. */
  status?: 'pending' | 'delivered' | 'failed' | 'given_up' | undefined;
  /** Id of the event (`evt_…`). */
  event_id?: string | undefined;
}

/** The query of `GET /v1/webhook_endpoints/{endpoint_id}/replays`. */
export interface ListWebhookEndpointReplaysQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/events`. */
export interface ListEventsQuery {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
  /** Only events of this type. */
  type?: string | undefined;
  /** Id of the resource that the event is about. `sequence` counts its events. */
  resource_id?: string | undefined;
  /** asc is for readers that must miss no event: an event is listed only when no earlier one can still be added. */
  order?: 'desc' | 'asc' | undefined;
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of a page, or the id of an event */
  after?: string | undefined;
}

/** The query of `GET /v1/opt_in_forms`. */
export interface ListOptInFormsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/opt_in_forms/{opt_in_form_id}/submissions`. */
export interface ListOptInFormSubmissionsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Only what this number agreed to. */
  phone_number?: string | undefined;
}

/** The query of `GET /v1/person_erasures`. */
export interface ListPersonErasuresQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/person_exports`. */
export interface ListPersonExportsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/person_exports/{person_export_id}/file`. */
export interface GetPersonExportFileQuery {
  /** Of a signed link: its end, in Unix seconds */
  expires?: string | undefined;
  /** Of a signed link: stands for an API key */
  signature?: string | undefined;
}

/** The query of `GET /v1/api_keys`. */
export interface ListApiKeysQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/browser_sessions`. */
export interface ListBrowserSessionsQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/audit_log`. */
export interface GetAuditLogQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
}

/** The query of `GET /v1/request_log`. */
export interface GetRequestLogQuery {
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
  /** Only requests with this method. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'OTHER' | undefined;
  /** As in the OpenAPI document, such as `/v1/messages/{message_id}`. */
  route?: string | undefined;
  /** Only these: `404`, or `4xx` for all from 400 to 499. */
  status?: string | undefined;
  /** Only writes that made or changed this resource, such as the request that sent a message. */
  resource_id?: string | undefined;
  /** Why the text failed. Null unless it has failed. */
  error_code?: string | undefined;
  /** asc is for following the log: a request is listed once no other can come before it any more. */
  order?: 'desc' | 'asc' | undefined;
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of a page, or the id of a request */
  after?: string | undefined;
}

/** The query of `GET /v1/usage`. */
export interface GetUsageQuery {
  /** RFC 3339 or YYYY-MM-DD; included */
  start?: string | undefined;
  /** RFC 3339 or YYYY-MM-DD; excluded */
  end?: string | undefined;
  /** Id of the tenant (`tnt_…`). */
  tenant_id?: string | undefined;
  /**
   * tenant: usage of each tenant, in pages, the newest tenant first. day: usage of each day (UTC) of the range, in one
   * reply; at most 731 days.
   */
  group_by?: 'tenant' | 'day' | undefined;
  /** Tenants on a page, by default 100; with group_by=tenant only */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/balance/entries`. */
export interface ListBalanceEntriesQuery {
  /** Most items of the page. */
  limit?: number | undefined;
  /** next_cursor of the page before, of the same list */
  after?: string | undefined;
}

/** The query of `GET /v1/test/outbox`. */
export interface ListTestOutboxQuery {
  /** E.164, a short code or "anonymous" */
  to?: string | undefined;
}
