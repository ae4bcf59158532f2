import type { Request } from '../fixture.ts';
import type { World } from '../world.ts';

/** Fields of an example that replace the fields of its fixture; undefined leaves one out. */
type Shown = { body?: (world: World) => NonNullable<Request['body']>; query?: Request['query'] };

const TEXT = () => ({
  template_id: undefined,
  variables: undefined,
  body: 'Your appointment is tomorrow at 10:30. Reply C to confirm.',
  metadata: { appointment: '4711' },
});

/** By operation. An operation that is not listed has the request of its fixture. */
export const SHOWN: Readonly<Record<string, Shown>> = {
  'POST /v1/tenants': {
    body: () => ({ name: 'Desert Dental', external_ref: 'customer-1042', metadata: { plan: 'pro' } }),
  },
  'PATCH /v1/tenants/{tenant_id}': { body: () => ({ name: 'Desert Dental Group' }) },
  'POST /v1/messages': { body: TEXT },
  'POST /v1/messages/check': { body: TEXT },
  'POST /v1/api_keys': { body: () => ({ name: 'Server of Desert Dental' }) },
  'POST /v1/api_keys/{key_id}/rotate': { body: () => ({ expires_in_seconds: 3_600 }) },
  'POST /v1/opt_in_forms': { body: () => ({ name: 'Appointment reminders' }) },
  'PATCH /v1/opt_in_forms/{opt_in_form_id}': { body: () => ({ name: 'Reminders and recalls' }) },
  'POST /v1/webhook_endpoints': { body: () => ({ description: 'Production' }) },
  'POST /v1/calls/{call_id}/dtmf': { body: () => ({ digits: '1ww42#' }) },
  'POST /v1/calls/{call_id}/gather': {
    body: () => ({ prompt: 'Please enter the number of your appointment.', max_digits: 4 }),
  },
  'POST /v1/calls/{call_id}/speak': { body: () => ({ text: 'Your code is 4711.' }) },
  'POST /v1/calls/{call_id}/streams': { body: () => ({ track: 'both' }) },
  'POST /v1/test/calls/{call_id}/dtmf': { body: () => ({ digits: '4711#' }) },
  'POST /v1/test/calls/{call_id}/speech': { body: () => ({ text: 'I would like to move my appointment.' }) },
  'POST /v1/test/calls/{call_id}/voicemail': { body: () => ({ transcript: 'Please call me back.' }) },
  'POST /v1/test/brands/{brand_id}/review': { body: () => ({ reason: 'The website cannot be opened.' }) },
  'POST /v1/test/campaigns/{campaign_id}/review': { body: () => ({ reason: 'The consent is not described.' }) },
  'POST /v1/test/clock': { body: () => ({ advance_seconds: 60 }) },
};
