import type { ErrorEntry } from './entry.ts';

/** Codes of tenants, webhooks and events, a part of `ERRORS`. */
export const TENANT_ERRORS = {
  person_erasure_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such erasure of a person.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  person_export_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such export of a person, or its file is gone.',
    remedy: 'Check the id and that the key is of the same account and mode. A file is kept for seven days.',
  },
  tenant_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such tenant.',
    remedy: 'Check the id. A deleted tenant is not found either; its history stays readable.',
  },
  name_required: {
    status: 400,
    group: 'tenants',
    message: 'A name is required.',
    remedy: 'Give a name of 1 to 200 characters.',
  },
  invalid_timezone: {
    status: 400,
    group: 'tenants',
    message: 'This is not an IANA time zone.',
    remedy: 'Use a name such as America/Phoenix.',
  },
  external_ref_taken: {
    status: 409,
    group: 'tenants',
    message: 'Another tenant, or another contact of the tenant, has this external_ref.',
    remedy: 'Find it with GET /v1/tenants?external_ref=… or GET /v1/contacts?external_ref=…',
  },
  contact_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such contact.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  contact_number_taken: {
    status: 409,
    group: 'tenants',
    message: 'Another contact of the tenant has one of these numbers.',
    remedy: 'Find it with GET /v1/contacts?phone_number=… and change that contact.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such webhook endpoint.',
    remedy: 'Check the id and that the key is of the same account and mode.',
  },
  too_many_endpoints: {
    status: 409,
    group: 'tenants',
    message: 'This account already has the maximum number of webhook endpoints.',
    remedy: 'Delete one. An account has at most 50 in each mode.',
  },
  delivery_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such delivery.',
    remedy: "Take the id from the endpoint's deliveries.",
  },
  webhook_endpoint_disabled: {
    status: 409,
    group: 'tenants',
    message: 'This webhook endpoint is disabled.',
    remedy: 'Switch it on with PATCH and "status": "active", then start the replay.',
  },
  replay_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such replay.',
    remedy: "Take the id from the endpoint's replays. They are kept for 30 days.",
  },
  replay_in_progress: {
    status: 409,
    group: 'tenants',
    message: 'A replay to this webhook endpoint is running.',
    remedy: 'Wait until it is completed, or cancel it. An endpoint has one at a time.',
  },
  event_not_found: {
    status: 404,
    group: 'tenants',
    message: 'There is no such event.',
    remedy: 'Events are kept for 30 days.',
  },
  url_required: {
    status: 400,
    group: 'tenants',
    message: 'A webhook endpoint needs a url.',
    remedy: 'Give an https address that is reachable from the internet.',
  },
  invalid_url: {
    status: 400,
    group: 'tenants',
    message: 'This URL cannot be used.',
    remedy: 'Use https and a public host. With test keys, an installation may allow http on loopback.',
  },
  unknown_event_type: {
    status: 400,
    group: 'tenants',
    message: 'This event type does not exist.',
    remedy: 'The list of events is in the documentation.',
  },
} as const satisfies Record<string, ErrorEntry>;
