/**
 * The names of operations. Generated clients derive function names from them. A name follows from method and path, so a
 * new summary breaks no client. This table replaces names that would read badly.
 */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  'GET /phone_numbers/available': 'searchAvailableNumbers',
  'POST /phone_numbers': 'purchasePhoneNumber',
  'DELETE /phone_numbers/{number_id}': 'releasePhoneNumber',
  'POST /messages': 'sendMessage',
  'GET /messages/{message_id}/attempts': 'listMessageAttempts',
  'PUT /queues/{queue_id}/agents/{agent}/availability': 'setQueueAgentAvailability',
  'POST /calls': 'placeCall',
  'POST /calls/{call_id}/dtmf': 'sendDtmf',
  'POST /calls/{call_id}/gather': 'startGather',
  'POST /calls/{call_id}/transcription': 'startTranscription',
  'POST /calls/{call_id}/relay': 'createCallRelay',
  'GET /calls/{call_id}/relay': 'getCallRelay',
  'DELETE /calls/{call_id}/relay': 'deleteCallRelay',
  'POST /calls/{call_id}/recording': 'controlCallRecording',
  'POST /calls/{call_id}/hangup': 'hangUpCall',
  'GET /conversations/{conversation_id}/timeline': 'getConversationTimeline',
  'POST /conversations/{conversation_id}/read': 'markConversationRead',
  'POST /contacts/upsert': 'upsertContacts',
  'DELETE /opt_outs/{external_number}': 'removeOptOut',
  'DELETE /opt_outs/candidates/{message_id}': 'dismissOptOutCandidate',
  'POST /webhook_endpoints/{endpoint_id}/rotate_secret': 'rotateWebhookSecret',
  'POST /webhook_endpoints/{endpoint_id}/deliveries/retry_failed': 'retryFailedWebhookDeliveries',
  'DELETE /api_keys/{key_id}': 'revokeApiKey',
  'DELETE /browser_sessions/{browser_session_id}': 'revokeBrowserSession',
  'POST /port_ins/check': 'checkPortability',
  'POST /realtime/tokens': 'createRealtimeToken',
  'GET /search': 'search',
  'GET /request_log/{request_id}': 'getRequestLogEntry',
  'GET /openapi.json': 'getOpenApiDocument',
  'POST /test/inbound_messages': 'simulateInboundMessage',
  'POST /test/messages/{message_id}/receipt': 'simulateMessageReceipt',
  'POST /test/port_ins/{port_in_id}/advance': 'advanceTestPortIn',
  'POST /test/brands/{brand_id}/review': 'reviewTestBrand',
  'POST /test/campaigns/{campaign_id}/review': 'reviewTestCampaign',
  'GET /test/reviews': 'getTestReviews',
  'POST /test/reviews': 'setTestReviews',
  'POST /test/calls/{call_id}/audio': 'openTestCallAudio',
  'GET /test/outbox': 'listTestOutbox',
  'GET /test/clock': 'getTestClock',
  'POST /test/clock': 'advanceTestClock',
  'POST /test/faults': 'setTestFault',
  'POST /test/reset': 'resetTestLedger',
};

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * Returns the operationId of a method and a path below /v1: `GET /tenants` is listTenants,
 * `POST /events/{event_id}/resend` is resendEvent.
 */
export function operationIdOf(method: string, path: string): string {
  const exception = OPERATION_IDS[`${method} ${path}`];
  if (exception !== undefined) return exception;
  const names = path.split('/').filter((name) => name !== '' && !name.startsWith('{'));
  const last = names.at(-1) ?? '';
  const owners = names.slice(0, -1).map(singular);
  if (path.endsWith('}')) return camel(VERBS[method] as string, ...owners, singular(last));
  if (method === 'GET') return camel(last.endsWith('s') ? 'list' : 'get', ...owners, last);
  // The last name of a POST is either a collection that gets a new member, or an action on the resource before it.
  if (method === 'POST' && !last.endsWith('s')) return camel(last, ...owners);
  return camel(VERBS[method] as string, ...owners, method === 'POST' ? singular(last) : last);
}

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return /(s|x|ch)es$/.test(noun) ? noun.slice(0, -2) : noun.replace(/s$/, '');
}

function camel(...names: string[]): string {
  return names.join('_').replaceAll(/[_.]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
