// Made from openapi.json by `npm run gen`. Edit the document, not this file.
import type { FileBody, RequestOptions, Requester } from '../requester.ts';
import { segment } from '../requester.ts';
import type { Pages } from '../pages.ts';
import type {
  CreatePortInDocumentQuery,
  GetAuditLogQuery,
  GetConversationQuery,
  GetConversationTimelineQuery,
  GetMessageMediaQuery,
  GetPersonExportFileQuery,
  GetRecordingAudioQuery,
  GetRequestLogQuery,
  GetRoutingConfigQuery,
  GetUsageQuery,
  GetVoicemailAudioQuery,
  ListApiKeysQuery,
  ListBalanceEntriesQuery,
  ListBrandsQuery,
  ListBrowserSessionsQuery,
  ListCallsQuery,
  ListCampaignsQuery,
  ListContactsQuery,
  ListConversationNotesQuery,
  ListConversationsQuery,
  ListE911AddressesQuery,
  ListEventsQuery,
  ListMessageTemplatesQuery,
  ListMessagesQuery,
  ListOptInFormSubmissionsQuery,
  ListOptInFormsQuery,
  ListOptOutCandidatesQuery,
  ListOptOutsQuery,
  ListPersonErasuresQuery,
  ListPersonExportsQuery,
  ListPhoneNumbersQuery,
  ListPortInsQuery,
  ListQueuesQuery,
  ListRecordingsQuery,
  ListRoutingConfigsQuery,
  ListSipPhonesQuery,
  ListTenantsQuery,
  ListTestOutboxQuery,
  ListVoicemailsQuery,
  ListWebClientsQuery,
  ListWebhookEndpointDeliveriesQuery,
  ListWebhookEndpointReplaysQuery,
  ListWebhookEndpointsQuery,
  RemoveOptOutQuery,
  SearchAvailableNumbersQuery,
  SearchQuery,
} from './requests.ts';
import type {
  AdvanceTestClock,
  AdvanceTestPortIn,
  AnswerTestCall,
  ApiKey,
  ApiKeyWithKey,
  AuditLogEntry,
  AvailableNumberList,
  Balance,
  BalanceEntry,
  Brand,
  BrowserSession,
  BrowserSessionWithToken,
  Call,
  CallListener,
  CallRelay,
  Campaign,
  CheckCall,
  CheckCallReply,
  CheckCampaign,
  CheckCampaignReply,
  CheckMessage,
  CheckMessageReply,
  CheckPortability,
  ConfirmBrandVerification,
  Contact,
  ContactUpsertResultList,
  ControlCallRecording,
  ControlCallRecordingReply,
  Conversation,
  CreateApiKey,
  CreateBrand,
  CreateBrowserSession,
  CreateCallListener,
  CreateCallRelay,
  CreateCallStream,
  CreateCampaign,
  CreateContact,
  CreateConversationNote,
  CreateE911Address,
  CreateMessageTemplate,
  CreateOptInForm,
  CreateOptOut,
  CreatePersonErasure,
  CreatePersonExport,
  CreatePortIn,
  CreateQueue,
  CreateRealtimeToken,
  CreateRoutingConfig,
  CreateTenant,
  CreateTestInboundCall,
  CreateWebClient,
  CreateWebhookEndpoint,
  CreateWebhookEndpointReplay,
  DtmfTestCall,
  E911Address,
  EvaluateRoutingConfig,
  EvaluateRoutingConfigReply,
  Event,
  HangupTestCall,
  MarkConversationRead,
  MediaStream,
  MediaStreamList,
  MediaStreamWithToken,
  Message,
  MessageAttemptList,
  MessageTemplate,
  Note,
  NumberPortabilityList,
  OpenTestCallAudio,
  OptInForm,
  OptInSubmissionWithIpAddress,
  OptOut,
  OptOutCandidate,
  PersonErasure,
  PersonExport,
  PhoneNumber,
  PlaceCall,
  PortIn,
  PortInDocument,
  PortInDocumentList,
  PortOutTestPhoneNumber,
  PriceList,
  PurchasePhoneNumber,
  Queue,
  RealtimeToken,
  Recording,
  ReplaceRoutingConfig,
  RequestLogEntry,
  ResendEvent,
  ReviewTestBrand,
  ReviewTestCampaign,
  RotateApiKey,
  RoutingConfig,
  SearchResultList,
  SendDtmf,
  SendDtmfReply,
  SendMessage,
  SetQueueAgentAvailability,
  SetTestFault,
  SetTestReviews,
  SimulateInboundMessage,
  SimulateMessageReceipt,
  SipPhone,
  SpeakCall,
  SpeakCallReply,
  SpeechTestCall,
  StartGather,
  StartGatherReply,
  StartTranscriptionReply,
  StopCallSpeakReply,
  TakeOverTestCall,
  Tenant,
  TestCallAudio,
  TestClock,
  TestFault,
  TestFaultList,
  TestOutboxTextList,
  TestReset,
  TestReviews,
  TestWebhookEndpoint,
  TestWebhookEndpointReply,
  TimelineItem,
  Transcript,
  TransferCall,
  UpdateCampaign,
  UpdateContact,
  UpdateConversation,
  UpdateMessageTemplate,
  UpdateOptInForm,
  UpdatePhoneNumber,
  UpdatePortIn,
  UpdateQueue,
  UpdateTenant,
  UpdateWebhookEndpoint,
  UpsertContacts,
  UsageSummary,
  Voicemail,
  VoicemailTestCall,
  WebClient,
  WebClientToken,
  WebhookDelivery,
  WebhookDeliveryWithRequestBody,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookReplay,
} from './schemas.ts';

/** Customers of the platform. Everything below belongs to one of them. */
export class TenantsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List tenants. `GET /v1/tenants` */
  list(query?: ListTenantsQuery, options?: RequestOptions): Pages<Tenant> {
    return this.#api.page('/v1/tenants', { query, options });
  }

  /** Create a tenant. `POST /v1/tenants` */
  create(body: CreateTenant, options?: RequestOptions): Promise<Tenant> {
    return this.#api.send('POST', '/v1/tenants', { body, options });
  }

  /** Get a tenant. `GET /v1/tenants/{tenant_id}` */
  get(tenantId: string, options?: RequestOptions): Promise<Tenant> {
    return this.#api.send('GET', `/v1/tenants/${segment(tenantId, 'tenantId')}`, { options });
  }

  /** Update a tenant. `PATCH /v1/tenants/{tenant_id}` */
  update(tenantId: string, body: UpdateTenant, options?: RequestOptions): Promise<Tenant> {
    return this.#api.send('PATCH', `/v1/tenants/${segment(tenantId, 'tenantId')}`, { body, options });
  }

  /** Delete a tenant. `DELETE /v1/tenants/{tenant_id}` */
  delete(tenantId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/tenants/${segment(tenantId, 'tenantId')}`, { options });
  }
}

/** Numbers on sale, and the numbers of tenants. */
export class PhoneNumbersResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Search available numbers. `GET /v1/phone_numbers/available` */
  searchAvailable(query?: SearchAvailableNumbersQuery, options?: RequestOptions): Promise<AvailableNumberList> {
    return this.#api.send('GET', '/v1/phone_numbers/available', { query, options });
  }

  /** List numbers. `GET /v1/phone_numbers` */
  list(query?: ListPhoneNumbersQuery, options?: RequestOptions): Pages<PhoneNumber> {
    return this.#api.page('/v1/phone_numbers', { query, options });
  }

  /** Purchase a number. `POST /v1/phone_numbers` */
  purchase(body: PurchasePhoneNumber, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#api.send('POST', '/v1/phone_numbers', { body, options });
  }

  /** Get a number. `GET /v1/phone_numbers/{number_id}` */
  get(numberId: string, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#api.send('GET', `/v1/phone_numbers/${segment(numberId, 'numberId')}`, { options });
  }

  /** Update a number. `PATCH /v1/phone_numbers/{number_id}` */
  update(numberId: string, body: UpdatePhoneNumber, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#api.send('PATCH', `/v1/phone_numbers/${segment(numberId, 'numberId')}`, { body, options });
  }

  /** Release a number. `DELETE /v1/phone_numbers/{number_id}` */
  release(numberId: string, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#api.send('DELETE', `/v1/phone_numbers/${segment(numberId, 'numberId')}`, { options });
  }
}

/** Addresses where emergency services are sent after a 911 call from a number. */
export class E911AddressesResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List emergency addresses. `GET /v1/e911_addresses` */
  list(query?: ListE911AddressesQuery, options?: RequestOptions): Pages<E911Address> {
    return this.#api.page('/v1/e911_addresses', { query, options });
  }

  /** Create an emergency address. `POST /v1/e911_addresses` */
  create(body: CreateE911Address, options?: RequestOptions): Promise<E911Address> {
    return this.#api.send('POST', '/v1/e911_addresses', { body, options });
  }

  /** Get an emergency address. `GET /v1/e911_addresses/{e911_address_id}` */
  get(e911AddressId: string, options?: RequestOptions): Promise<E911Address> {
    return this.#api.send('GET', `/v1/e911_addresses/${segment(e911AddressId, 'e911AddressId')}`, { options });
  }

  /** Delete an emergency address. `DELETE /v1/e911_addresses/{e911_address_id}` */
  delete(e911AddressId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/e911_addresses/${segment(e911AddressId, 'e911AddressId')}`, { options });
  }
}

/** Numbers that move here from another carrier. */
export class PortInsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Check whether numbers can be ported in. `POST /v1/port_ins/check` */
  checkPortability(body: CheckPortability, options?: RequestOptions): Promise<NumberPortabilityList> {
    return this.#api.send('POST', '/v1/port_ins/check', { body, options });
  }

  /** List port-ins. `GET /v1/port_ins` */
  list(query?: ListPortInsQuery, options?: RequestOptions): Pages<PortIn> {
    return this.#api.page('/v1/port_ins', { query, options });
  }

  /** Create a port-in. `POST /v1/port_ins` */
  create(body: CreatePortIn, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('POST', '/v1/port_ins', { body, options });
  }

  /** Get a port-in. `GET /v1/port_ins/{port_in_id}` */
  get(portInId: string, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('GET', `/v1/port_ins/${segment(portInId, 'portInId')}`, { options });
  }

  /** Correct a port-in. `PATCH /v1/port_ins/{port_in_id}` */
  update(portInId: string, body: UpdatePortIn, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('PATCH', `/v1/port_ins/${segment(portInId, 'portInId')}`, { body, options });
  }

  /** Submit a port-in. `POST /v1/port_ins/{port_in_id}/submit` */
  submit(portInId: string, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('POST', `/v1/port_ins/${segment(portInId, 'portInId')}/submit`, { options });
  }

  /** Cancel a port-in. `POST /v1/port_ins/{port_in_id}/cancel` */
  cancel(portInId: string, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('POST', `/v1/port_ins/${segment(portInId, 'portInId')}/cancel`, { options });
  }

  /** List the documents of a port-in. `GET /v1/port_ins/{port_in_id}/documents` */
  listDocuments(portInId: string, options?: RequestOptions): Promise<PortInDocumentList> {
    return this.#api.send('GET', `/v1/port_ins/${segment(portInId, 'portInId')}/documents`, { options });
  }

  /** Add a document to a port-in. `POST /v1/port_ins/{port_in_id}/documents` */
  createDocument(portInId: string, file: FileBody<'application/pdf' | 'image/png' | 'image/jpeg'>, query: CreatePortInDocumentQuery, options?: RequestOptions): Promise<PortInDocument> {
    return this.#api.send('POST', `/v1/port_ins/${segment(portInId, 'portInId')}/documents`, { query, file, options });
  }

  /** Delete a document of a port-in. `DELETE /v1/port_ins/{port_in_id}/documents/{document_id}` */
  deleteDocument(portInId: string, documentId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/port_ins/${segment(portInId, 'portInId')}/documents/${segment(documentId, 'documentId')}`, { options });
  }
}

/** Who answers calls to a number, and when. */
export class RoutingConfigsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List routing configs. `GET /v1/routing_configs` */
  list(query?: ListRoutingConfigsQuery, options?: RequestOptions): Pages<RoutingConfig> {
    return this.#api.page('/v1/routing_configs', { query, options });
  }

  /** Create a routing config. `POST /v1/routing_configs` */
  create(body: CreateRoutingConfig, options?: RequestOptions): Promise<RoutingConfig> {
    return this.#api.send('POST', '/v1/routing_configs', { body, options });
  }

  /** Get a routing config. `GET /v1/routing_configs/{routing_config_id}` */
  get(routingConfigId: string, query?: GetRoutingConfigQuery, options?: RequestOptions): Promise<RoutingConfig> {
    return this.#api.send('GET', `/v1/routing_configs/${segment(routingConfigId, 'routingConfigId')}`, { query, options });
  }

  /** Replace a routing config. `PUT /v1/routing_configs/{routing_config_id}` */
  replace(routingConfigId: string, body: ReplaceRoutingConfig, options?: RequestOptions): Promise<RoutingConfig> {
    return this.#api.send('PUT', `/v1/routing_configs/${segment(routingConfigId, 'routingConfigId')}`, { body, options });
  }

  /** Delete a routing config. `DELETE /v1/routing_configs/{routing_config_id}` */
  delete(routingConfigId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/routing_configs/${segment(routingConfigId, 'routingConfigId')}`, { options });
  }

  /** Evaluate a routing config at a moment. `POST /v1/routing_configs/{routing_config_id}/evaluate` */
  evaluate(routingConfigId: string, body?: EvaluateRoutingConfig, options?: RequestOptions): Promise<EvaluateRoutingConfigReply> {
    return this.#api.send('POST', `/v1/routing_configs/${segment(routingConfigId, 'routingConfigId')}/evaluate`, { body, options });
  }
}

/** Companies on whose behalf texts are sent, as registered with the carriers. */
export class BrandsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List brands. `GET /v1/brands` */
  list(query?: ListBrandsQuery, options?: RequestOptions): Pages<Brand> {
    return this.#api.page('/v1/brands', { query, options });
  }

  /** Create a brand. `POST /v1/brands` */
  create(body: CreateBrand, options?: RequestOptions): Promise<Brand> {
    return this.#api.send('POST', '/v1/brands', { body, options });
  }

  /** Get a brand. `GET /v1/brands/{brand_id}` */
  get(brandId: string, options?: RequestOptions): Promise<Brand> {
    return this.#api.send('GET', `/v1/brands/${segment(brandId, 'brandId')}`, { options });
  }

  /** Send the code of a sole proprietor again. `POST /v1/brands/{brand_id}/verification/resend` */
  resendVerification(brandId: string, options?: RequestOptions): Promise<Brand> {
    return this.#api.send('POST', `/v1/brands/${segment(brandId, 'brandId')}/verification/resend`, { options });
  }

  /** Confirm the code of a sole proprietor. `POST /v1/brands/{brand_id}/verification/confirm` */
  confirmVerification(brandId: string, body: ConfirmBrandVerification, options?: RequestOptions): Promise<Brand> {
    return this.#api.send('POST', `/v1/brands/${segment(brandId, 'brandId')}/verification/confirm`, { body, options });
  }
}

/** The texts that a tenant may send, as registered with the carriers. */
export class CampaignsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List campaigns. `GET /v1/campaigns` */
  list(query?: ListCampaignsQuery, options?: RequestOptions): Pages<Campaign> {
    return this.#api.page('/v1/campaigns', { query, options });
  }

  /** Create a campaign. `POST /v1/campaigns` */
  create(body: CreateCampaign, options?: RequestOptions): Promise<Campaign> {
    return this.#api.send('POST', '/v1/campaigns', { body, options });
  }

  /** What would a reviewer object to?. `POST /v1/campaigns/check` */
  check(body: CheckCampaign, options?: RequestOptions): Promise<CheckCampaignReply> {
    return this.#api.send('POST', '/v1/campaigns/check', { body, options });
  }

  /** Get a campaign. `GET /v1/campaigns/{campaign_id}` */
  get(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    return this.#api.send('GET', `/v1/campaigns/${segment(campaignId, 'campaignId')}`, { options });
  }

  /** Change a draft or a rejected campaign. `PATCH /v1/campaigns/{campaign_id}` */
  update(campaignId: string, body: UpdateCampaign, options?: RequestOptions): Promise<Campaign> {
    return this.#api.send('PATCH', `/v1/campaigns/${segment(campaignId, 'campaignId')}`, { body, options });
  }

  /** Submit a draft for review, or a rejected campaign again. `POST /v1/campaigns/{campaign_id}/submit` */
  submit(campaignId: string, options?: RequestOptions): Promise<Campaign> {
    return this.#api.send('POST', `/v1/campaigns/${segment(campaignId, 'campaignId')}/submit`, { options });
  }
}

/** Inbound and outbound texts. */
export class MessagesResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Send a message. `POST /v1/messages` */
  send(body: SendMessage, options?: RequestOptions): Promise<Message> {
    return this.#api.send('POST', '/v1/messages', { body, options });
  }

  /** List messages. `GET /v1/messages` */
  list(query?: ListMessagesQuery, options?: RequestOptions): Pages<Message> {
    return this.#api.page('/v1/messages', { query, options });
  }

  /** Would this send be accepted?. `POST /v1/messages/check` */
  check(body: CheckMessage, options?: RequestOptions): Promise<CheckMessageReply> {
    return this.#api.send('POST', '/v1/messages/check', { body, options });
  }

  /** Get a message. `GET /v1/messages/{message_id}` */
  get(messageId: string, options?: RequestOptions): Promise<Message> {
    return this.#api.send('GET', `/v1/messages/${segment(messageId, 'messageId')}`, { options });
  }

  /** List the attempts to send a message. `GET /v1/messages/{message_id}/attempts` */
  listAttempts(messageId: string, options?: RequestOptions): Promise<MessageAttemptList> {
    return this.#api.send('GET', `/v1/messages/${segment(messageId, 'messageId')}/attempts`, { options });
  }

  /** Cancel a scheduled message. `POST /v1/messages/{message_id}/cancel` */
  cancel(messageId: string, options?: RequestOptions): Promise<Message> {
    return this.#api.send('POST', `/v1/messages/${segment(messageId, 'messageId')}/cancel`, { options });
  }

  /** Delete the body and the media of a message. `POST /v1/messages/{message_id}/redact` */
  redact(messageId: string, options?: RequestOptions): Promise<Message> {
    return this.#api.send('POST', `/v1/messages/${segment(messageId, 'messageId')}/redact`, { options });
  }

  /** Open a file of an inbound message. `GET /v1/messages/{message_id}/media/{position}` */
  getMedia(messageId: string, position: string, query?: GetMessageMediaQuery, options?: RequestOptions): Promise<Response> {
    return this.#api.open(`/v1/messages/${segment(messageId, 'messageId')}/media/${segment(position, 'position')}`, { query, options });
  }
}

/** Texts with variables, for one tenant or for all. */
export class MessageTemplatesResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Create a message template. `POST /v1/message_templates` */
  create(body: CreateMessageTemplate, options?: RequestOptions): Promise<MessageTemplate> {
    return this.#api.send('POST', '/v1/message_templates', { body, options });
  }

  /** List message templates. `GET /v1/message_templates` */
  list(query?: ListMessageTemplatesQuery, options?: RequestOptions): Pages<MessageTemplate> {
    return this.#api.page('/v1/message_templates', { query, options });
  }

  /** Get a message template. `GET /v1/message_templates/{template_id}` */
  get(templateId: string, options?: RequestOptions): Promise<MessageTemplate> {
    return this.#api.send('GET', `/v1/message_templates/${segment(templateId, 'templateId')}`, { options });
  }

  /** Change a message template. `PATCH /v1/message_templates/{template_id}` */
  update(templateId: string, body: UpdateMessageTemplate, options?: RequestOptions): Promise<MessageTemplate> {
    return this.#api.send('PATCH', `/v1/message_templates/${segment(templateId, 'templateId')}`, { body, options });
  }

  /** Delete a message template. `DELETE /v1/message_templates/{template_id}` */
  delete(templateId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/message_templates/${segment(templateId, 'templateId')}`, { options });
  }
}

/** People that a tenant knows, by name and number. */
export class ContactsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List contacts. `GET /v1/contacts` */
  list(query?: ListContactsQuery, options?: RequestOptions): Pages<Contact> {
    return this.#api.page('/v1/contacts', { query, options });
  }

  /** Create a contact. `POST /v1/contacts` */
  create(body: CreateContact, options?: RequestOptions): Promise<Contact> {
    return this.#api.send('POST', '/v1/contacts', { body, options });
  }

  /** Create or change many contacts. `POST /v1/contacts/upsert` */
  upsert(body: UpsertContacts, options?: RequestOptions): Promise<ContactUpsertResultList> {
    return this.#api.send('POST', '/v1/contacts/upsert', { body, options });
  }

  /** Get a contact. `GET /v1/contacts/{contact_id}` */
  get(contactId: string, options?: RequestOptions): Promise<Contact> {
    return this.#api.send('GET', `/v1/contacts/${segment(contactId, 'contactId')}`, { options });
  }

  /** Change a contact. `PATCH /v1/contacts/{contact_id}` */
  update(contactId: string, body: UpdateContact, options?: RequestOptions): Promise<Contact> {
    return this.#api.send('PATCH', `/v1/contacts/${segment(contactId, 'contactId')}`, { body, options });
  }

  /** Delete a contact. `DELETE /v1/contacts/{contact_id}` */
  delete(contactId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/contacts/${segment(contactId, 'contactId')}`, { options });
  }
}

/** Finds tenants, contacts, numbers and conversations by what people type. */
export class SearchResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Find tenants, contacts, numbers and conversations. `GET /v1/search` */
  find(query: SearchQuery, options?: RequestOptions): Promise<SearchResultList> {
    return this.#api.send('GET', '/v1/search', { query, options });
  }
}

/** The texts and calls between a number of a tenant and an external number. */
export class ConversationsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List conversations, most recent activity first. `GET /v1/conversations` */
  list(query?: ListConversationsQuery, options?: RequestOptions): Pages<Conversation> {
    return this.#api.page('/v1/conversations', { query, options });
  }

  /** Get a conversation. `GET /v1/conversations/{conversation_id}` */
  get(conversationId: string, query?: GetConversationQuery, options?: RequestOptions): Promise<Conversation> {
    return this.#api.send('GET', `/v1/conversations/${segment(conversationId, 'conversationId')}`, { query, options });
  }

  /** Change a conversation. `PATCH /v1/conversations/{conversation_id}` */
  update(conversationId: string, body: UpdateConversation, options?: RequestOptions): Promise<Conversation> {
    return this.#api.send('PATCH', `/v1/conversations/${segment(conversationId, 'conversationId')}`, { body, options });
  }

  /** Mark a conversation as read. `POST /v1/conversations/{conversation_id}/read` */
  markRead(conversationId: string, body?: MarkConversationRead, options?: RequestOptions): Promise<void> {
    return this.#api.send('POST', `/v1/conversations/${segment(conversationId, 'conversationId')}/read`, { body, options });
  }

  /** List everything in a conversation, newest first. `GET /v1/conversations/{conversation_id}/timeline` */
  getTimeline(conversationId: string, query?: GetConversationTimelineQuery, options?: RequestOptions): Pages<TimelineItem> {
    return this.#api.page(`/v1/conversations/${segment(conversationId, 'conversationId')}/timeline`, { query, options });
  }

  /** List the notes of a conversation, newest first. `GET /v1/conversations/{conversation_id}/notes` */
  listNotes(conversationId: string, query?: ListConversationNotesQuery, options?: RequestOptions): Pages<Note> {
    return this.#api.page(`/v1/conversations/${segment(conversationId, 'conversationId')}/notes`, { query, options });
  }

  /** Write a note at a conversation. `POST /v1/conversations/{conversation_id}/notes` */
  createNote(conversationId: string, body: CreateConversationNote, options?: RequestOptions): Promise<Note> {
    return this.#api.send('POST', `/v1/conversations/${segment(conversationId, 'conversationId')}/notes`, { body, options });
  }

  /** Delete a note. `DELETE /v1/conversations/{conversation_id}/notes/{note_id}` */
  deleteNote(conversationId: string, noteId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/conversations/${segment(conversationId, 'conversationId')}/notes/${segment(noteId, 'noteId')}`, { options });
  }
}

/** Click-to-call and inbound calls: their state, digits and transcription. */
export class CallsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Place a click-to-call. `POST /v1/calls` */
  create(body: PlaceCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', '/v1/calls', { body, options });
  }

  /** List calls. `GET /v1/calls` */
  list(query?: ListCallsQuery, options?: RequestOptions): Pages<Call> {
    return this.#api.page('/v1/calls', { query, options });
  }

  /** Speak a prompt and gather digits. `POST /v1/calls/{call_id}/gather` */
  startGather(callId: string, body: StartGather, options?: RequestOptions): Promise<StartGatherReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/gather`, { body, options });
  }

  /** Would this call be placed?. `POST /v1/calls/check` */
  check(body: CheckCall, options?: RequestOptions): Promise<CheckCallReply> {
    return this.#api.send('POST', '/v1/calls/check', { body, options });
  }

  /** Get a call. `GET /v1/calls/{call_id}` */
  get(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('GET', `/v1/calls/${segment(callId, 'callId')}`, { options });
  }

  /** Send DTMF digits to the other party. `POST /v1/calls/{call_id}/dtmf` */
  sendDtmf(callId: string, body: SendDtmf, options?: RequestOptions): Promise<SendDtmfReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/dtmf`, { body, options });
  }

  /** Start the transcription of a call. `POST /v1/calls/{call_id}/transcription` */
  startTranscription(callId: string, options?: RequestOptions): Promise<StartTranscriptionReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/transcription`, { options });
  }

  /** Hang up a call. `POST /v1/calls/{call_id}/hangup` */
  hangUp(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/hangup`, { options });
  }

  /** Opt a call's customer out. `POST /v1/calls/{call_id}/opt_out` */
  optOut(callId: string, options?: RequestOptions): Promise<OptOut> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/opt_out`, { options });
  }

  /** Speak a text into a call. `POST /v1/calls/{call_id}/speak` */
  speak(callId: string, body: SpeakCall, options?: RequestOptions): Promise<SpeakCallReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/speak`, { body, options });
  }

  /** Stop speaking, and empty the queue. `POST /v1/calls/{call_id}/speak/stop` */
  stopSpeak(callId: string, options?: RequestOptions): Promise<StopCallSpeakReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/speak/stop`, { options });
  }

  /** Transfer the customer to another agent or the voicemail. `POST /v1/calls/{call_id}/transfer` */
  transfer(callId: string, body: TransferCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/transfer`, { body, options });
  }

  /** Complete a consult transfer. `POST /v1/calls/{call_id}/transfer/complete` */
  completeTransfer(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/transfer/complete`, { options });
  }

  /** Cancel a consult transfer. `POST /v1/calls/{call_id}/transfer/cancel` */
  cancelTransfer(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/transfer/cancel`, { options });
  }

  /** Put the customer on hold. `POST /v1/calls/{call_id}/hold` */
  hold(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/hold`, { options });
  }

  /** Take the customer off hold. `POST /v1/calls/{call_id}/resume` */
  resume(callId: string, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/resume`, { options });
  }

  /** Start, pause, resume or stop the recording of a call. `POST /v1/calls/{call_id}/recording` */
  controlRecording(callId: string, body: ControlCallRecording, options?: RequestOptions): Promise<ControlCallRecordingReply> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/recording`, { body, options });
  }

  /** Let a web client listen to a call. `POST /v1/calls/{call_id}/listeners` */
  createListener(callId: string, body: CreateCallListener, options?: RequestOptions): Promise<CallListener> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/listeners`, { body, options });
  }

  /** End a listener of a call. `DELETE /v1/calls/{call_id}/listeners/{listener_id}` */
  deleteListener(callId: string, listenerId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/calls/${segment(callId, 'callId')}/listeners/${segment(listenerId, 'listenerId')}`, { options });
  }

  /** Get the transcript of a call so far. `GET /v1/calls/{call_id}/transcript` */
  getTranscript(callId: string, options?: RequestOptions): Promise<Transcript> {
    return this.#api.send('GET', `/v1/calls/${segment(callId, 'callId')}/transcript`, { options });
  }

  /** Delete the transcript of a call. `DELETE /v1/calls/{call_id}/transcript` */
  deleteTranscript(callId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/calls/${segment(callId, 'callId')}/transcript`, { options });
  }
}

/** The audio of a call over a WebSocket, in both directions. */
export class MediaStreamsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Start a media stream. `POST /v1/calls/{call_id}/streams` */
  create(callId: string, body?: CreateCallStream, options?: RequestOptions): Promise<MediaStreamWithToken> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/streams`, { body, options });
  }

  /** List the media streams of a call. `GET /v1/calls/{call_id}/streams` */
  list(callId: string, options?: RequestOptions): Promise<MediaStreamList> {
    return this.#api.send('GET', `/v1/calls/${segment(callId, 'callId')}/streams`, { options });
  }

  /** Stop a media stream. `DELETE /v1/calls/{call_id}/streams/{stream_id}` */
  delete(callId: string, streamId: string, options?: RequestOptions): Promise<MediaStream> {
    return this.#api.send('DELETE', `/v1/calls/${segment(callId, 'callId')}/streams/${segment(streamId, 'streamId')}`, { options });
  }
}

/** Agents of text: the server recognises, speaks and decides interruptions. */
export class RelaysResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Connect an agent of text to a call. `POST /v1/calls/{call_id}/relay` */
  create(callId: string, body: CreateCallRelay, options?: RequestOptions): Promise<CallRelay> {
    return this.#api.send('POST', `/v1/calls/${segment(callId, 'callId')}/relay`, { body, options });
  }

  /** Get the latest relay of a call. `GET /v1/calls/{call_id}/relay` */
  get(callId: string, options?: RequestOptions): Promise<CallRelay> {
    return this.#api.send('GET', `/v1/calls/${segment(callId, 'callId')}/relay`, { options });
  }

  /** End the relay of a call. `DELETE /v1/calls/{call_id}/relay` */
  delete(callId: string, options?: RequestOptions): Promise<CallRelay> {
    return this.#api.send('DELETE', `/v1/calls/${segment(callId, 'callId')}/relay`, { options });
  }
}

/** Recordings of calls, and their audio. */
export class RecordingsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List recordings. `GET /v1/recordings` */
  list(query?: ListRecordingsQuery, options?: RequestOptions): Pages<Recording> {
    return this.#api.page('/v1/recordings', { query, options });
  }

  /** Get a recording. `GET /v1/recordings/{recording_id}` */
  get(recordingId: string, options?: RequestOptions): Promise<Recording> {
    return this.#api.send('GET', `/v1/recordings/${segment(recordingId, 'recordingId')}`, { options });
  }

  /** Delete a recording. `DELETE /v1/recordings/{recording_id}` */
  delete(recordingId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/recordings/${segment(recordingId, 'recordingId')}`, { options });
  }

  /** Listen to a recording. `GET /v1/recordings/{recording_id}/audio` */
  getAudio(recordingId: string, query?: GetRecordingAudioQuery, options?: RequestOptions): Promise<Response> {
    return this.#api.open(`/v1/recordings/${segment(recordingId, 'recordingId')}/audio`, { query, options });
  }
}

/** Messages that callers left: their audio and transcript. */
export class VoicemailsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List voicemails. `GET /v1/voicemails` */
  list(query?: ListVoicemailsQuery, options?: RequestOptions): Pages<Voicemail> {
    return this.#api.page('/v1/voicemails', { query, options });
  }

  /** Get a voicemail. `GET /v1/voicemails/{voicemail_id}` */
  get(voicemailId: string, options?: RequestOptions): Promise<Voicemail> {
    return this.#api.send('GET', `/v1/voicemails/${segment(voicemailId, 'voicemailId')}`, { options });
  }

  /** Delete a voicemail. `DELETE /v1/voicemails/{voicemail_id}` */
  delete(voicemailId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/voicemails/${segment(voicemailId, 'voicemailId')}`, { options });
  }

  /** Listen to a voicemail. `GET /v1/voicemails/{voicemail_id}/audio` */
  getAudio(voicemailId: string, query?: GetVoicemailAudioQuery, options?: RequestOptions): Promise<Response> {
    return this.#api.open(`/v1/voicemails/${segment(voicemailId, 'voicemailId')}/audio`, { query, options });
  }
}

/** Phones in a browser: one credential each, and the tokens that log it in. */
export class WebClientsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List web clients. `GET /v1/web_clients` */
  list(query?: ListWebClientsQuery, options?: RequestOptions): Pages<WebClient> {
    return this.#api.page('/v1/web_clients', { query, options });
  }

  /** Create a web client. `POST /v1/web_clients` */
  create(body: CreateWebClient, options?: RequestOptions): Promise<WebClient> {
    return this.#api.send('POST', '/v1/web_clients', { body, options });
  }

  /** Revoke a web client. `DELETE /v1/web_clients/{web_client_id}` */
  delete(webClientId: string, options?: RequestOptions): Promise<WebClient> {
    return this.#api.send('DELETE', `/v1/web_clients/${segment(webClientId, 'webClientId')}`, { options });
  }

  /** Mint a login token. `POST /v1/web_clients/{web_client_id}/tokens` */
  createToken(webClientId: string, options?: RequestOptions): Promise<WebClientToken> {
    return this.#api.send('POST', `/v1/web_clients/${segment(webClientId, 'webClientId')}/tokens`, { options });
  }
}

/** Telephones that register at SIP engines of the operator, and whether they are registered. */
export class SipPhonesResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List SIP phones. `GET /v1/sip_phones` */
  list(query?: ListSipPhonesQuery, options?: RequestOptions): Pages<SipPhone> {
    return this.#api.page('/v1/sip_phones', { query, options });
  }
}

/** Callers who wait for an agent, and the agents. */
export class CallQueuesResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List queues. `GET /v1/queues` */
  list(query?: ListQueuesQuery, options?: RequestOptions): Pages<Queue> {
    return this.#api.page('/v1/queues', { query, options });
  }

  /** Create a queue. `POST /v1/queues` */
  create(body: CreateQueue, options?: RequestOptions): Promise<Queue> {
    return this.#api.send('POST', '/v1/queues', { body, options });
  }

  /** Get a queue. `GET /v1/queues/{queue_id}` */
  get(queueId: string, options?: RequestOptions): Promise<Queue> {
    return this.#api.send('GET', `/v1/queues/${segment(queueId, 'queueId')}`, { options });
  }

  /** Change a queue. `PATCH /v1/queues/{queue_id}` */
  update(queueId: string, body: UpdateQueue, options?: RequestOptions): Promise<Queue> {
    return this.#api.send('PATCH', `/v1/queues/${segment(queueId, 'queueId')}`, { body, options });
  }

  /** Delete a queue. `DELETE /v1/queues/{queue_id}` */
  delete(queueId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/queues/${segment(queueId, 'queueId')}`, { options });
  }

  /** Set whether an agent takes callers. `PUT /v1/queues/{queue_id}/agents/{agent}/availability` */
  setAgentAvailability(queueId: string, agent: string, body: SetQueueAgentAvailability, options?: RequestOptions): Promise<Queue> {
    return this.#api.send('PUT', `/v1/queues/${segment(queueId, 'queueId')}/agents/${segment(agent, 'agent')}/availability`, { body, options });
  }
}

/** People who asked to get no more texts from a tenant. */
export class OptOutsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List texts that may be opt-outs. `GET /v1/opt_outs/candidates` */
  listCandidates(query?: ListOptOutCandidatesQuery, options?: RequestOptions): Pages<OptOutCandidate> {
    return this.#api.page('/v1/opt_outs/candidates', { query, options });
  }

  /** Decide that a text is no opt-out. `DELETE /v1/opt_outs/candidates/{message_id}` */
  dismissCandidate(messageId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/opt_outs/candidates/${segment(messageId, 'messageId')}`, { options });
  }

  /** List opt-outs. `GET /v1/opt_outs` */
  list(query?: ListOptOutsQuery, options?: RequestOptions): Pages<OptOut> {
    return this.#api.page('/v1/opt_outs', { query, options });
  }

  /** Create an opt-out. `POST /v1/opt_outs` */
  create(body: CreateOptOut, options?: RequestOptions): Promise<OptOut> {
    return this.#api.send('POST', '/v1/opt_outs', { body, options });
  }

  /** Remove an opt-out that the API or an import set. `DELETE /v1/opt_outs/{external_number}` */
  remove(externalNumber: string, query?: RemoveOptOutQuery, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/opt_outs/${segment(externalNumber, 'externalNumber')}`, { query, options });
  }
}

/** Receivers of signed events, and their deliveries. */
export class WebhookEndpointsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List webhook endpoints. `GET /v1/webhook_endpoints` */
  list(query?: ListWebhookEndpointsQuery, options?: RequestOptions): Pages<WebhookEndpoint> {
    return this.#api.page('/v1/webhook_endpoints', { query, options });
  }

  /** Register a webhook endpoint. `POST /v1/webhook_endpoints` */
  create(body: CreateWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#api.send('POST', '/v1/webhook_endpoints', { body, options });
  }

  /** Get a webhook endpoint. `GET /v1/webhook_endpoints/{endpoint_id}` */
  get(endpointId: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#api.send('GET', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}`, { options });
  }

  /** Update a webhook endpoint. `PATCH /v1/webhook_endpoints/{endpoint_id}` */
  update(endpointId: string, body: UpdateWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#api.send('PATCH', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}`, { body, options });
  }

  /** Delete a webhook endpoint. `DELETE /v1/webhook_endpoints/{endpoint_id}` */
  delete(endpointId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}`, { options });
  }

  /** Mint a new secret for an endpoint. `POST /v1/webhook_endpoints/{endpoint_id}/rotate_secret` */
  rotateSecret(endpointId: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/rotate_secret`, { options });
  }

  /** Send a test event to an endpoint. `POST /v1/webhook_endpoints/{endpoint_id}/test` */
  test(endpointId: string, body?: TestWebhookEndpoint, options?: RequestOptions): Promise<TestWebhookEndpointReply> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/test`, { body, options });
  }

  /** List deliveries to an endpoint. `GET /v1/webhook_endpoints/{endpoint_id}/deliveries` */
  listDeliveries(endpointId: string, query?: ListWebhookEndpointDeliveriesQuery, options?: RequestOptions): Pages<WebhookDelivery> {
    return this.#api.page(`/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/deliveries`, { query, options });
  }

  /** Get a delivery. `GET /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}` */
  getDelivery(endpointId: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDeliveryWithRequestBody> {
    return this.#api.send('GET', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/deliveries/${segment(deliveryId, 'deliveryId')}`, { options });
  }

  /** Send a delivery again now. `POST /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/retry` */
  retryDelivery(endpointId: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/deliveries/${segment(deliveryId, 'deliveryId')}/retry`, { options });
  }

  /** List replays to an endpoint. `GET /v1/webhook_endpoints/{endpoint_id}/replays` */
  listReplays(endpointId: string, query?: ListWebhookEndpointReplaysQuery, options?: RequestOptions): Pages<WebhookReplay> {
    return this.#api.page(`/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/replays`, { query, options });
  }

  /** Send the events of a range again to an endpoint. `POST /v1/webhook_endpoints/{endpoint_id}/replays` */
  createReplay(endpointId: string, body: CreateWebhookEndpointReplay, options?: RequestOptions): Promise<WebhookReplay> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/replays`, { body, options });
  }

  /** Try all failed deliveries again. `POST /v1/webhook_endpoints/{endpoint_id}/deliveries/retry_failed` */
  retryFailedDeliveries(endpointId: string, options?: RequestOptions): Promise<WebhookReplay> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/deliveries/retry_failed`, { options });
  }

  /** Get a replay. `GET /v1/webhook_endpoints/{endpoint_id}/replays/{replay_id}` */
  getReplay(endpointId: string, replayId: string, options?: RequestOptions): Promise<WebhookReplay> {
    return this.#api.send('GET', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/replays/${segment(replayId, 'replayId')}`, { options });
  }

  /** End a running replay. `POST /v1/webhook_endpoints/{endpoint_id}/replays/{replay_id}/cancel` */
  cancelReplay(endpointId: string, replayId: string, options?: RequestOptions): Promise<WebhookReplay> {
    return this.#api.send('POST', `/v1/webhook_endpoints/${segment(endpointId, 'endpointId')}/replays/${segment(replayId, 'replayId')}/cancel`, { options });
  }
}

/** The durable record of all events, and tokens for the event socket. */
export class EventsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List events. `GET /v1/events` */
  list(query?: ListEventsQuery, options?: RequestOptions): Pages<Event> {
    return this.#api.page('/v1/events', { query, options });
  }

  /** Get an event. `GET /v1/events/{event_id}` */
  get(eventId: string, options?: RequestOptions): Promise<Event> {
    return this.#api.send('GET', `/v1/events/${segment(eventId, 'eventId')}`, { options });
  }

  /** Deliver an event again. `POST /v1/events/{event_id}/resend` */
  resend(eventId: string, body?: ResendEvent, options?: RequestOptions): Promise<Event> {
    return this.#api.send('POST', `/v1/events/${segment(eventId, 'eventId')}/resend`, { body, options });
  }

  /** Mint a realtime token. `POST /v1/realtime/tokens` */
  createRealtimeToken(body?: CreateRealtimeToken, options?: RequestOptions): Promise<RealtimeToken> {
    return this.#api.send('POST', '/v1/realtime/tokens', { body, options });
  }
}

/** Public pages where people agree to receive texts, and the evidence of their consent. */
export class OptInFormsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List opt-in forms. `GET /v1/opt_in_forms` */
  list(query?: ListOptInFormsQuery, options?: RequestOptions): Pages<OptInForm> {
    return this.#api.page('/v1/opt_in_forms', { query, options });
  }

  /** Create an opt-in form. `POST /v1/opt_in_forms` */
  create(body: CreateOptInForm, options?: RequestOptions): Promise<OptInForm> {
    return this.#api.send('POST', '/v1/opt_in_forms', { body, options });
  }

  /** Change an opt-in form. `PATCH /v1/opt_in_forms/{opt_in_form_id}` */
  update(optInFormId: string, body: UpdateOptInForm, options?: RequestOptions): Promise<OptInForm> {
    return this.#api.send('PATCH', `/v1/opt_in_forms/${segment(optInFormId, 'optInFormId')}`, { body, options });
  }

  /** Get an opt-in form. `GET /v1/opt_in_forms/{opt_in_form_id}` */
  get(optInFormId: string, options?: RequestOptions): Promise<OptInForm> {
    return this.#api.send('GET', `/v1/opt_in_forms/${segment(optInFormId, 'optInFormId')}`, { options });
  }

  /** Delete an opt-in form. `DELETE /v1/opt_in_forms/{opt_in_form_id}` */
  delete(optInFormId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/opt_in_forms/${segment(optInFormId, 'optInFormId')}`, { options });
  }

  /** List what was submitted on an opt-in form. `GET /v1/opt_in_forms/{opt_in_form_id}/submissions` */
  listSubmissions(optInFormId: string, query?: ListOptInFormSubmissionsQuery, options?: RequestOptions): Pages<OptInSubmissionWithIpAddress> {
    return this.#api.page(`/v1/opt_in_forms/${segment(optInFormId, 'optInFormId')}/submissions`, { query, options });
  }
}

/** Requests to remove everything about a person from a tenant. */
export class PersonErasuresResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List erasures of people. `GET /v1/person_erasures` */
  list(query?: ListPersonErasuresQuery, options?: RequestOptions): Pages<PersonErasure> {
    return this.#api.page('/v1/person_erasures', { query, options });
  }

  /** Erase a person. `POST /v1/person_erasures` */
  create(body: CreatePersonErasure, options?: RequestOptions): Promise<PersonErasure> {
    return this.#api.send('POST', '/v1/person_erasures', { body, options });
  }

  /** Get the erasure of a person. `GET /v1/person_erasures/{person_erasure_id}` */
  get(personErasureId: string, options?: RequestOptions): Promise<PersonErasure> {
    return this.#api.send('GET', `/v1/person_erasures/${segment(personErasureId, 'personErasureId')}`, { options });
  }
}

/** Files with all that a tenant has about a person. */
export class PersonExportsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List exports of people. `GET /v1/person_exports` */
  list(query?: ListPersonExportsQuery, options?: RequestOptions): Pages<PersonExport> {
    return this.#api.page('/v1/person_exports', { query, options });
  }

  /** Export a person. `POST /v1/person_exports` */
  create(body: CreatePersonExport, options?: RequestOptions): Promise<PersonExport> {
    return this.#api.send('POST', '/v1/person_exports', { body, options });
  }

  /** Get the export of a person. `GET /v1/person_exports/{person_export_id}` */
  get(personExportId: string, options?: RequestOptions): Promise<PersonExport> {
    return this.#api.send('GET', `/v1/person_exports/${segment(personExportId, 'personExportId')}`, { options });
  }

  /** Download the export of a person. `GET /v1/person_exports/{person_export_id}/file` */
  getFile(personExportId: string, query?: GetPersonExportFileQuery, options?: RequestOptions): Promise<Response> {
    return this.#api.open(`/v1/person_exports/${segment(personExportId, 'personExportId')}/file`, { query, options });
  }
}

/** Credentials of the account, for all of it or for one tenant. */
export class ApiKeysResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List API keys in force. `GET /v1/api_keys` */
  list(query?: ListApiKeysQuery, options?: RequestOptions): Pages<ApiKey> {
    return this.#api.page('/v1/api_keys', { query, options });
  }

  /** Make an API key. `POST /v1/api_keys` */
  create(body: CreateApiKey, options?: RequestOptions): Promise<ApiKeyWithKey> {
    return this.#api.send('POST', '/v1/api_keys', { body, options });
  }

  /** Revoke an API key. `DELETE /v1/api_keys/{key_id}` */
  revoke(keyId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/api_keys/${segment(keyId, 'keyId')}`, { options });
  }

  /** Replace an API key. `POST /v1/api_keys/{key_id}/rotate` */
  rotate(keyId: string, body?: RotateApiKey, options?: RequestOptions): Promise<ApiKeyWithKey> {
    return this.#api.send('POST', `/v1/api_keys/${segment(keyId, 'keyId')}/rotate`, { body, options });
  }
}

/** Short-lived credentials of one tenant for pages in a browser, with the abilities that you choose. */
export class BrowserSessionsResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List browser sessions in force. `GET /v1/browser_sessions` */
  list(query?: ListBrowserSessionsQuery, options?: RequestOptions): Pages<BrowserSession> {
    return this.#api.page('/v1/browser_sessions', { query, options });
  }

  /** Mint a browser session. `POST /v1/browser_sessions` */
  create(body: CreateBrowserSession, options?: RequestOptions): Promise<BrowserSessionWithToken> {
    return this.#api.send('POST', '/v1/browser_sessions', { body, options });
  }

  /** Revoke a browser session. `DELETE /v1/browser_sessions/{browser_session_id}` */
  revoke(browserSessionId: string, options?: RequestOptions): Promise<void> {
    return this.#api.send('DELETE', `/v1/browser_sessions/${segment(browserSessionId, 'browserSessionId')}`, { options });
  }
}

/** Who changed keys, tenants, numbers and webhook endpoints. */
export class AuditLogResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List the audit log. `GET /v1/audit_log` */
  list(query?: GetAuditLogQuery, options?: RequestOptions): Pages<AuditLogEntry> {
    return this.#api.page('/v1/audit_log', { query, options });
  }
}

/** The requests of the last days to this API, with status, error and duration, without bodies. */
export class RequestLogResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** List requests. `GET /v1/request_log` */
  list(query?: GetRequestLogQuery, options?: RequestOptions): Pages<RequestLogEntry> {
    return this.#api.page('/v1/request_log', { query, options });
  }

  /** Get a request. `GET /v1/request_log/{request_id}` */
  get(requestId: string, options?: RequestOptions): Promise<RequestLogEntry> {
    return this.#api.send('GET', `/v1/request_log/${segment(requestId, 'requestId')}`, { options });
  }
}

/** Usage, and the prepaid balance. Live usage is charged to it. */
export class UsageResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Sum up usage. `GET /v1/usage` */
  get(query?: GetUsageQuery, options?: RequestOptions): Promise<UsageSummary> {
    return this.#api.send('GET', '/v1/usage', { query, options });
  }

  /** List prices. `GET /v1/prices` */
  listPrices(options?: RequestOptions): Promise<PriceList> {
    return this.#api.send('GET', '/v1/prices', { options });
  }
}

/** Usage, and the prepaid balance. Live usage is charged to it. */
export class BalanceResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Get the balance. `GET /v1/balance` */
  get(options?: RequestOptions): Promise<Balance> {
    return this.#api.send('GET', '/v1/balance', { options });
  }

  /** List balance entries. `GET /v1/balance/entries` */
  listEntries(query?: ListBalanceEntriesQuery, options?: RequestOptions): Pages<BalanceEntry> {
    return this.#api.page('/v1/balance/entries', { query, options });
  }
}

/** The API itself: its OpenAPI document. */
export class ServiceResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** This description. `GET /v1/openapi.json` */
  getOpenApiDocument(options?: RequestOptions): Promise<unknown> {
    return this.#api.send('GET', '/v1/openapi.json', { options });
  }
}

/** Plays the other side of the simulated carrier. For test keys. */
export class TestResource {
  readonly #api: Requester;

  constructor(api: Requester) {
    this.#api = api;
  }

  /** Let a text arrive. `POST /v1/test/inbound_messages` */
  simulateInboundMessage(body: SimulateInboundMessage, options?: RequestOptions): Promise<Message> {
    return this.#api.send('POST', '/v1/test/inbound_messages', { body, options });
  }

  /** Force a receipt. `POST /v1/test/messages/{message_id}/receipt` */
  simulateMessageReceipt(messageId: string, body: SimulateMessageReceipt, options?: RequestOptions): Promise<Message> {
    return this.#api.send('POST', `/v1/test/messages/${segment(messageId, 'messageId')}/receipt`, { body, options });
  }

  /** What handsets have received, newest first. `GET /v1/test/outbox` */
  listOutbox(query?: ListTestOutboxQuery, options?: RequestOptions): Promise<TestOutboxTextList> {
    return this.#api.send('GET', '/v1/test/outbox', { query, options });
  }

  /** How reviews go in the test ledger. `GET /v1/test/reviews` */
  getReviews(options?: RequestOptions): Promise<TestReviews> {
    return this.#api.send('GET', '/v1/test/reviews', { options });
  }

  /** Approve at once, or leave reviews to be made by hand. `POST /v1/test/reviews` */
  setReviews(body: SetTestReviews, options?: RequestOptions): Promise<TestReviews> {
    return this.#api.send('POST', '/v1/test/reviews', { body, options });
  }

  /** Review a brand. `POST /v1/test/brands/{brand_id}/review` */
  reviewBrand(brandId: string, body: ReviewTestBrand, options?: RequestOptions): Promise<Brand> {
    return this.#api.send('POST', `/v1/test/brands/${segment(brandId, 'brandId')}/review`, { body, options });
  }

  /** Review a campaign. `POST /v1/test/campaigns/{campaign_id}/review` */
  reviewCampaign(campaignId: string, body: ReviewTestCampaign, options?: RequestOptions): Promise<Campaign> {
    return this.#api.send('POST', `/v1/test/campaigns/${segment(campaignId, 'campaignId')}/review`, { body, options });
  }

  /** Let the losing carrier take the next step of a port-in. `POST /v1/test/port_ins/{port_in_id}/advance` */
  advancePortIn(portInId: string, body: AdvanceTestPortIn, options?: RequestOptions): Promise<PortIn> {
    return this.#api.send('POST', `/v1/test/port_ins/${segment(portInId, 'portInId')}/advance`, { body, options });
  }

  /** Let another carrier ask for a number. `POST /v1/test/phone_numbers/{number_id}/port_out` */
  portOutPhoneNumber(numberId: string, body: PortOutTestPhoneNumber, options?: RequestOptions): Promise<PhoneNumber> {
    return this.#api.send('POST', `/v1/test/phone_numbers/${segment(numberId, 'numberId')}/port_out`, { body, options });
  }

  /** Let a call arrive. `POST /v1/test/inbound_calls` */
  createInboundCall(body: CreateTestInboundCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', '/v1/test/inbound_calls', { body, options });
  }

  /** Let a party that is rung answer. `POST /v1/test/calls/{call_id}/answer` */
  answerCall(callId: string, body?: AnswerTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/answer`, { body, options });
  }

  /** Let a party hang up. `POST /v1/test/calls/{call_id}/hangup` */
  hangupCall(callId: string, body?: HangupTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/hangup`, { body, options });
  }

  /** Let a party press keys. `POST /v1/test/calls/{call_id}/dtmf` */
  dtmfCall(callId: string, body: DtmfTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/dtmf`, { body, options });
  }

  /** Let a party say something. `POST /v1/test/calls/{call_id}/speech` */
  speechCall(callId: string, body: SpeechTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/speech`, { body, options });
  }

  /** Let nobody answer, and the caller leave a message. `POST /v1/test/calls/{call_id}/voicemail` */
  voicemailCall(callId: string, body?: VoicemailTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/voicemail`, { body, options });
  }

  /** Let a person do nothing by itself. `POST /v1/test/calls/{call_id}/take_over` */
  takeOverCall(callId: string, body: TakeOverTestCall, options?: RequestOptions): Promise<Call> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/take_over`, { body, options });
  }

  /** Open the audio of a person. `POST /v1/test/calls/{call_id}/audio` */
  openCallAudio(callId: string, body: OpenTestCallAudio, options?: RequestOptions): Promise<TestCallAudio> {
    return this.#api.send('POST', `/v1/test/calls/${segment(callId, 'callId')}/audio`, { body, options });
  }

  /** The time of the test ledger. `GET /v1/test/clock` */
  getClock(options?: RequestOptions): Promise<TestClock> {
    return this.#api.send('GET', '/v1/test/clock', { options });
  }

  /** Move the clock of the test ledger forward. `POST /v1/test/clock` */
  advanceClock(body: AdvanceTestClock, options?: RequestOptions): Promise<TestClock> {
    return this.#api.send('POST', '/v1/test/clock', { body, options });
  }

  /** Faults that are in force. `GET /v1/test/faults` */
  listFaults(options?: RequestOptions): Promise<TestFaultList> {
    return this.#api.send('GET', '/v1/test/faults', { options });
  }

  /** Make the carrier misbehave. `POST /v1/test/faults` */
  setFault(body: SetTestFault, options?: RequestOptions): Promise<TestFault> {
    return this.#api.send('POST', '/v1/test/faults', { body, options });
  }

  /** Empty the test ledger. `POST /v1/test/reset` */
  reset(options?: RequestOptions): Promise<TestReset> {
    return this.#api.send('POST', '/v1/test/reset', { options });
  }
}

/** The operations of the API, by resource. */
export class Resources {
  readonly tenants: TenantsResource;
  readonly phoneNumbers: PhoneNumbersResource;
  readonly e911Addresses: E911AddressesResource;
  readonly portIns: PortInsResource;
  readonly routingConfigs: RoutingConfigsResource;
  readonly brands: BrandsResource;
  readonly campaigns: CampaignsResource;
  readonly messages: MessagesResource;
  readonly messageTemplates: MessageTemplatesResource;
  readonly contacts: ContactsResource;
  readonly search: SearchResource;
  readonly conversations: ConversationsResource;
  readonly calls: CallsResource;
  readonly mediaStreams: MediaStreamsResource;
  readonly relays: RelaysResource;
  readonly recordings: RecordingsResource;
  readonly voicemails: VoicemailsResource;
  readonly webClients: WebClientsResource;
  readonly sipPhones: SipPhonesResource;
  readonly callQueues: CallQueuesResource;
  readonly optOuts: OptOutsResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly events: EventsResource;
  readonly optInForms: OptInFormsResource;
  readonly personErasures: PersonErasuresResource;
  readonly personExports: PersonExportsResource;
  readonly apiKeys: ApiKeysResource;
  readonly browserSessions: BrowserSessionsResource;
  readonly auditLog: AuditLogResource;
  readonly requestLog: RequestLogResource;
  readonly usage: UsageResource;
  readonly balance: BalanceResource;
  readonly service: ServiceResource;
  readonly test: TestResource;

  constructor(transport: Requester) {
    this.tenants = new TenantsResource(transport);
    this.phoneNumbers = new PhoneNumbersResource(transport);
    this.e911Addresses = new E911AddressesResource(transport);
    this.portIns = new PortInsResource(transport);
    this.routingConfigs = new RoutingConfigsResource(transport);
    this.brands = new BrandsResource(transport);
    this.campaigns = new CampaignsResource(transport);
    this.messages = new MessagesResource(transport);
    this.messageTemplates = new MessageTemplatesResource(transport);
    this.contacts = new ContactsResource(transport);
    this.search = new SearchResource(transport);
    this.conversations = new ConversationsResource(transport);
    this.calls = new CallsResource(transport);
    this.mediaStreams = new MediaStreamsResource(transport);
    this.relays = new RelaysResource(transport);
    this.recordings = new RecordingsResource(transport);
    this.voicemails = new VoicemailsResource(transport);
    this.webClients = new WebClientsResource(transport);
    this.sipPhones = new SipPhonesResource(transport);
    this.callQueues = new CallQueuesResource(transport);
    this.optOuts = new OptOutsResource(transport);
    this.webhookEndpoints = new WebhookEndpointsResource(transport);
    this.events = new EventsResource(transport);
    this.optInForms = new OptInFormsResource(transport);
    this.personErasures = new PersonErasuresResource(transport);
    this.personExports = new PersonExportsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.browserSessions = new BrowserSessionsResource(transport);
    this.auditLog = new AuditLogResource(transport);
    this.requestLog = new RequestLogResource(transport);
    this.usage = new UsageResource(transport);
    this.balance = new BalanceResource(transport);
    this.service = new ServiceResource(transport);
    this.test = new TestResource(transport);
  }
}
