import type { OperationTexts } from './operation-text.ts';

/** Events and their receivers, keys, the audit log and money. */
export const SERVICE_TEXTS: OperationTexts = {
  listWebhookEndpoints: { description: 'Returns the webhook endpoints, newest first, without their secrets.' },
  createWebhookEndpoint: {
    description:
      'Registers a receiver of events. The reply alone has the `secret` that signs deliveries. Without ' +
      '`enabled_events` it gets every type; with `tenant_id` it gets the events of that tenant alone. An account has at ' +
      'most 50 in each mode.',
    errors: ['too_many_endpoints', 'tenant_not_found'],
  },
  getWebhookEndpoint: {
    description: 'Returns a webhook endpoint, without its secret.',
    errors: ['webhook_endpoint_not_found'],
  },
  updateWebhookEndpoint: {
    description:
      'Changes the given fields of a webhook endpoint. While it is `disabled` by hand its deliveries wait; `active` ' +
      'sends them.',
    errors: ['webhook_endpoint_not_found', 'tenant_not_found'],
    events: ['webhook_endpoint.disabled'],
  },
  deleteWebhookEndpoint: {
    description: 'Deletes a webhook endpoint. Deliveries that wait are dropped.',
    errors: ['webhook_endpoint_not_found'],
  },
  rotateWebhookSecret: {
    description:
      'Mints a new secret, which the reply alone has. For a while deliveries are signed with the old one too, so that ' +
      'the receiver can change over.',
    errors: ['webhook_endpoint_not_found'],
  },
  testWebhookEndpoint: {
    description:
      'Sends a made-up event of a type to the endpoint now, and returns how the receiver answered. It is signed as ' +
      'any delivery, and is not tried again.',
    errors: ['webhook_endpoint_not_found'],
  },
  listWebhookEndpointDeliveries: {
    description:
      'Returns the deliveries to an endpoint, newest first, each with its attempts and the next one. An attempt has the ' +
      'address, the headers of the request, and the beginning of the answer.',
    errors: ['webhook_endpoint_not_found'],
  },
  getWebhookEndpointDelivery: {
    description: 'Returns a delivery with its attempts and the `request_body` that every attempt sends.',
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
  },
  retryWebhookEndpointDelivery: {
    description: 'Sends a delivery again now, whatever its status.',
    errors: ['webhook_endpoint_not_found', 'delivery_not_found'],
  },
  retryFailedWebhookDeliveries: {
    description:
      'Starts to try all failed deliveries again: first the deliveries that wait for another attempt, then the failed ' +
      'ones without another attempt, each with a new round of attempts. The retry is a replay with `retries_failed`: ' +
      '`delivery_count` of `total_count` is its progress, and it can be canceled like a replay. While 2,000 deliveries ' +
      'wait for the endpoint, the latter wait too. An endpoint has one replay at a time.',
    errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'replay_in_progress'],
  },
  listWebhookEndpointReplays: {
    description: 'Returns the replays to an endpoint, newest first. They are kept for 30 days.',
    errors: ['webhook_endpoint_not_found'],
  },
  createWebhookEndpointReplay: {
    description:
      'Starts to send the events of a range again to an endpoint, in the order in which they happened. Each becomes a new ' +
      'delivery with the same event id, also if it was delivered before; with `only_missed` only events that the ' +
      'endpoint has not accepted. While 2,000 deliveries wait for the endpoint the replay waits too. An endpoint has ' +
      'one replay at a time.',
    errors: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled', 'replay_in_progress', 'invalid_range'],
  },
  getWebhookEndpointReplay: {
    description: 'Returns a replay and how far it is.',
    errors: ['webhook_endpoint_not_found', 'replay_not_found'],
  },
  cancelWebhookEndpointReplay: {
    description:
      'Ends a running replay. The deliveries that it has made are still sent. A replay that has ended stays as it is.',
    errors: ['webhook_endpoint_not_found', 'replay_not_found'],
  },
  listEvents: {
    description:
      'Returns the events of the last 30 days, newest first. With `order=asc` the cursor is a place from which to ' +
      'catch up: no later event is missed, even one that was committed late.',
    errors: ['tenant_restricted_key'],
  },
  getEvent: {
    description: 'Returns an event as it was delivered.',
    errors: ['event_not_found', 'tenant_restricted_key'],
  },
  resendEvent: {
    description:
      'Delivers an event again, to one endpoint or to all that take its type and tenant. Its `id` is the same.',
    errors: ['event_not_found', 'webhook_endpoint_not_found'],
  },
  createRealtimeToken: {
    description:
      'Mints a token for the WebSocket at `url`, on which events arrive as they happen. It is valid for an hour and may ' +
      'be used in a browser. With `tenant_id` it carries the events of that tenant only.',
    errors: ['tenant_not_found', 'tenant_restricted_key'],
  },
  listApiKeys: { description: 'Returns the keys in force, without their secrets.' },
  createApiKey: {
    description:
      'Makes a key of the same mode, for the whole account or for one tenant. The reply alone has the `key` itself.',
    errors: ['tenant_not_found'],
  },
  revokeApiKey: {
    description: 'Revokes a key: within five seconds it is refused everywhere, and its tokens and sockets end.',
    errors: ['api_key_not_found'],
  },
  rotateApiKey: {
    description:
      'Makes a new key in place of another, which works for `expires_in_seconds` more. The reply alone has the new `key`.',
    errors: ['api_key_not_found', 'tenant_not_found'],
  },
  listBrowserSessions: {
    description: 'Returns the browser sessions in force, newest first, without their tokens.',
    errors: ['tenant_restricted_key'],
  },
  createBrowserSession: {
    description:
      'Mints a session for a page in a browser: a token for one tenant that opens the operations of its `abilities`, ' +
      'from the origins in `allowed_origins`. The reply alone has the `token`. It ends with the key that minted it.',
    errors: ['tenant_not_found', 'tenant_restricted_key', 'web_client_not_found'],
  },
  revokeBrowserSession: {
    description: 'Revokes a session: within five seconds it is refused everywhere, and its sockets are closed.',
    errors: ['browser_session_not_found', 'tenant_restricted_key'],
  },
  getAuditLog: {
    description:
      'Returns who changed keys, tenants, numbers, webhook endpoints and the account, newest first. The filter by a ' +
      'tenant shows the changes of the tenant and of what belongs to it.',
  },
  getRequestLog: {
    description:
      'Returns the requests of the last days to this API, newest first, without their bodies and queries. With ' +
      '`order=asc` the cursor is a place from which to follow the log. A request is listed within a second of its ' +
      'reply; reads of the request log are not listed.',
    errors: ['tenant_restricted_key'],
  },
  getRequestLogEntry: {
    description: 'Returns a request by the id in the `Request-Id` header of its reply.',
    errors: ['request_not_found', 'tenant_restricted_key'],
  },
  getUsage: {
    description:
      'Sums up the usage between `start` and `end`, by kind, and with `group_by=tenant` by tenant, with `group_by=day` ' +
      'by day. Test usage is counted and never charged.',
    errors: ['tenant_restricted_key'],
  },
  listPrices: { description: 'Returns what each kind of usage costs, as the operator has set it.' },
  getBalance: { description: 'Returns the prepaid balance of the account. Live usage is charged to it.' },
  listBalanceEntries: { description: 'Returns the credits and charges of the balance, newest first.' },
  getOpenApiDocument: { description: 'Returns this document, for generators of clients.' },
};
