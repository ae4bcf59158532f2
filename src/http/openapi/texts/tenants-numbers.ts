import type { OperationTexts } from './operation-text.ts';

/** Tenants, phone numbers, emergency addresses and routing configs. */
export const TENANT_AND_NUMBER_TEXTS: OperationTexts = {
  listTenants: {
    description:
      'Returns the tenants, newest first. A key of one tenant sees that tenant only. With `q` only tenants that ' +
      'match each word of it: a word of the name begins with it. They come in the order of the word that was found, and ' +
      'such a page may have fewer tenants than `limit` although more follow.',
  },
  createTenant: {
    description:
      'Creates a tenant: a customer of the platform, to which numbers, texts and calls belong. `external_ref` is your ' +
      'own id of the customer and is unique.',
    errors: ['external_ref_taken'],
  },
  getTenant: { description: 'Returns a tenant.', errors: ['tenant_not_found', 'tenant_restricted_key'] },
  updateTenant: {
    description: 'Changes the given fields of a tenant. Absent fields stay as they are.',
    errors: ['tenant_not_found', 'external_ref_taken'],
  },
  deleteTenant: {
    description:
      'Deletes a tenant. Its numbers are released, its campaigns and web clients end, and its routing configs are ' +
      'deleted. Messages, calls and events stay readable. A deletion takes effect as a whole or not at all.',
    errors: ['tenant_not_found'],
    events: ['number.status_changed', 'campaign.status_changed'],
  },
  searchAvailableNumbers: {
    description:
      'Returns numbers on sale that match all given filters. A number is not reserved: another buyer may take it ' +
      'before you do.',
    errors: ['carrier_unavailable'],
  },
  listPhoneNumbers: {
    description: 'Returns the numbers, newest first, released ones included.',
    errors: ['tenant_restricted_key'],
  },
  purchasePhoneNumber: {
    description:
      'Buys a number for a tenant. In test mode the number is `active` at once. On a live carrier it may be `pending` ' +
      'until the carrier has delivered it. If the purchase succeeds and the campaign cannot be assigned, the error has ' +
      '`phone_number_id`: attach the campaign to that number again.',
    errors: [
      'number_unavailable',
      'tenant_not_found',
      'tenant_restricted_key',
      'routing_config_not_found',
      'campaign_not_found',
      'carrier_assign_failed',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['number.status_changed'],
  },
  getPhoneNumber: {
    description: 'Returns a number. `messaging_ready` is true when texts can be sent from it.',
    errors: ['phone_number_not_found', 'tenant_restricted_key'],
  },
  updatePhoneNumber: {
    description:
      'Attaches a routing config, a campaign or an emergency address to a number; null detaches it. A campaign is ' +
      'assigned at the carrier: while that is pending, `messaging_ready` is false and the event follows.',
    errors: [
      'phone_number_not_found',
      'tenant_restricted_key',
      'routing_config_not_found',
      'campaign_not_found',
      'e911_address_not_found',
      'carrier_assign_failed',
      'carrier_unavailable',
    ],
    events: ['number.status_changed'],
  },
  releasePhoneNumber: {
    description:
      'Releases a number: its campaign is unassigned, and texts and calls to it end. A repetition has the same reply. ' +
      'The number cannot be taken back.',
    errors: ['phone_number_not_found', 'tenant_restricted_key'],
    events: ['number.status_changed'],
  },
  listE911Addresses: {
    description: 'Returns the emergency addresses, newest first.',
    errors: ['tenant_restricted_key'],
  },
  createE911Address: {
    description:
      'Validates an address and registers it for emergency calls. Then attach it to numbers. An address that cannot be ' +
      'found is refused with `suggestions`.',
    errors: [
      'e911_address_invalid',
      'e911_address_not_found',
      'tenant_not_found',
      'tenant_restricted_key',
      'carrier_unavailable',
    ],
  },
  getE911Address: {
    description: 'Returns an emergency address.',
    errors: ['e911_address_not_found', 'tenant_restricted_key'],
  },
  deleteE911Address: {
    description: 'Deletes an emergency address that no number uses.',
    errors: ['e911_address_not_found', 'e911_address_in_use', 'tenant_restricted_key'],
  },
  listRoutingConfigs: { description: 'Returns the routing configs, newest first.', errors: ['tenant_restricted_key'] },
  createRoutingConfig: {
    description:
      'Creates a routing config: who answers calls to a number within business hours and outside them. Attach it to ' +
      'numbers with `PATCH /v1/phone_numbers/{number_id}`.',
    errors: [
      'tenant_not_found',
      'tenant_restricted_key',
      'web_client_not_found',
      'queue_not_found',
      'destination_not_supported',
    ],
  },
  getRoutingConfig: {
    description:
      'Returns a routing config, with `at` as it was at a moment: for a call, the `at` of its `route`. The last 100 ' +
      'replacements of a config are kept until it is deleted. A former version has `hold_audio_url` without a status.',
    errors: ['routing_config_not_found', 'tenant_restricted_key'],
  },
  replaceRoutingConfig: {
    description: 'Replaces all fields of a routing config. Calls that arrive from now on follow it.',
    errors: [
      'routing_config_not_found',
      'tenant_not_found',
      'tenant_restricted_key',
      'web_client_not_found',
      'queue_not_found',
      'destination_not_supported',
    ],
  },
  deleteRoutingConfig: {
    description: 'Deletes a routing config that no number uses.',
    errors: ['routing_config_not_found', 'routing_config_in_use', 'tenant_restricted_key'],
  },
  evaluateRoutingConfig: {
    description:
      'Returns what a call at the moment `at` would meet: whether the business is open, the behavior, and the targets ' +
      'that ring. `digits` are the choices of the caller in menus. It has no effect.',
    errors: ['routing_config_not_found', 'tenant_restricted_key'],
  },
};
