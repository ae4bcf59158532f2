import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import packageFile from '../../package.json' with { type: 'json' };
import {
  checkRequest,
  checkResponse,
  checkWebhook,
  REQUESTS,
  RESPONSES,
  type SchemaFile,
  WEBHOOKS,
} from './schemas.ts';

const FILES: Readonly<Record<string, SchemaFile>> = { requests: REQUESTS, responses: RESPONSES, webhooks: WEBHOOKS };

const BRAND = {
  entityType: 'PRIVATE_PROFIT',
  displayName: 'Birch Dental',
  companyName: 'Birch Dental LLC',
  ein: '841234567',
  country: 'US',
  email: 'office@birch.example',
  vertical: 'HEALTHCARE',
  postalCode: '80202',
  webhookURL: 'https://phone.example/hook',
};
const CAMPAIGN = {
  brandId: '4b20019a',
  usecase: 'CUSTOMER_CARE',
  description: 'Answers to questions of patients',
  sample1: 'Your appointment is at noon.',
  messageFlow: 'Patients agree at the desk.',
  subscriberOptin: true,
  termsAndConditions: true,
  referenceId: 'cmp_1',
};
const PORT_DETAILS = {
  end_user: {
    admin: { entity_name: 'Birch Dental LLC', auth_person_name: 'Ann Birch', account_number: '77', pin_passcode: '1' },
    location: { street_address: '1 Elm St', locality: 'Denver', administrative_area: 'CO', country_code: 'US' },
  },
  misc: { type: 'full' },
  documents: { loa: 'doc-1', invoice: 'doc-2' },
  webhook_url: 'https://phone.example/hook',
};
const ADDRESS = {
  business_name: 'Birch Dental',
  first_name: 'Ann',
  last_name: 'Birch',
  street_address: '1 Elm St',
  locality: 'Denver',
  administrative_area: 'CO',
  country_code: 'US',
  postal_code: '80202',
};

/** An example of each kind of request that an adapter sends. */
const EXAMPLES: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/messages', { from: '+13035550100', to: '+13035550101', text: 'Hello', use_profile_webhooks: false }],
  ['GET', '/messages/4031'],
  ['POST', '/messaging_profiles', { name: 'ten_1', whitelisted_destinations: ['US'], webhook_api_version: '2' }],
  ['DELETE', '/messaging_profiles/p1'],
  ['POST', '/number_orders', { phone_numbers: [{ phone_number: '+13035550100' }], customer_reference: 'pn_1' }],
  ['PATCH', '/phone_numbers/1', { connection_id: '2', tags: ['ten_1'] }],
  ['PATCH', '/phone_numbers/1/messaging', { messaging_profile_id: 'p1' }],
  ['POST', '/phone_numbers/1/actions/enable_emergency', { emergency_enabled: true, emergency_address_id: 'a1' }],
  ['POST', '/addresses', ADDRESS],
  ['POST', '/addresses/actions/validate', { street_address: '1 Elm St', postal_code: '80202', country_code: 'US' }],
  ['POST', '/10dlc/brand', BRAND],
  ['POST', '/10dlc/campaignBuilder', CAMPAIGN],
  ['POST', '/10dlc/phone_number_campaigns', { phoneNumber: '+13035550100', campaignId: 'c1' }],
  ['DELETE', '/10dlc/phone_number_campaigns/%2B13035550100'],
  ['POST', '/portability_checks', { phone_numbers: ['+13035550100'] }],
  ['POST', '/porting_orders', { phone_numbers: ['+13035550100'], customer_reference: 'port_1' }],
  ['PATCH', '/porting_orders/o1', PORT_DETAILS],
  ['POST', '/porting_orders/o1/actions/confirm'],
  ['POST', '/documents', { file: 'JVBERi0=', filename: 'loa.pdf', customer_reference: 'port_1' }],
  ['POST', '/calls', { connection_id: '2', to: '+13035550101', from: '+13035550100', command_id: 'k1' }],
  ['POST', '/calls/v3:abc/actions/answer', { client_state: 'e30=', command_id: 'k2' }],
  ['POST', '/calls/v3:abc/actions/reject', { cause: 'CALL_REJECTED' }],
  ['POST', '/calls/v3:abc/actions/bridge', { call_control_id: 'v3:def', command_id: 'k3' }],
  ['POST', '/calls/v3:abc/actions/speak', { payload: 'Hello', voice: 'female', command_id: 'k4' }],
  ['POST', '/calls/v3:abc/actions/send_dtmf', { digits: '12#', duration_millis: 100 }],
  ['POST', '/calls/v3:abc/actions/record_start', { format: 'wav', channels: 'single', play_beep: true }],
  [
    'POST',
    '/calls/v3:abc/actions/streaming_start',
    { stream_url: 'wss://phone.example/', stream_track: 'both_tracks' },
  ],
  ['POST', '/calls/v3:abc/actions/hangup', { command_id: 'k5' }],
  ['POST', '/outbound_voice_profiles', { name: 'dialplane', whitelisted_destinations: ['US', 'CA'] }],
  [
    'POST',
    '/call_control_applications',
    { application_name: 'dialplane', webhook_event_url: 'https://phone.example/hook', webhook_api_version: '2' },
  ],
];

const event = (type: string, payload: object) => ({
  data: { record_type: 'event', event_type: type, id: 'e1', occurred_at: '2026-07-01T12:00:00Z', payload },
  meta: { attempt: 1, delivered_to: 'https://phone.example/hook' },
});

test('the schemas were made from the pinned version of the package and have not been edited', () => {
  for (const { source, sha256, schemas } of Object.values(FILES)) {
    assert.equal(source, `types of npm telnyx@${packageFile.devDependencies.telnyx}`);
    assert.equal(
      createHash('sha256')
        .update(JSON.stringify(Object.values(schemas)))
        .digest('hex'),
      sha256,
    );
  }
  assert.match(readFileSync(new URL('schemas/LICENSE', import.meta.url), 'utf8'), /Permission is hereby granted/);
});

test('what the package has no type for is named', () => {
  assert.deepEqual(REQUESTS.missing, []);
  assert.deepEqual(RESPONSES.missing, []);
  assert.deepEqual(WEBHOOKS.missing, ['10dlc.brand.update', '10dlc.campaign.update', '10dlc.phone_number.update']);
});

test('each schema compiles alone', () => {
  for (const file of Object.values(FILES)) {
    for (const schema of Object.values(file.schemas)) new Ajv({ strict: false }).compile(schema);
  }
});

for (const [method, path, body] of EXAMPLES) {
  test(`${method} ${path}: an ordinary request passes, an unknown field is refused by its name`, () => {
    checkRequest(method, path, body);
    assert.throws(() => checkRequest(method, path, { ...body, colour: 'red' }), {
      name: 'AssertionError',
      message: body === undefined ? /the operation has no body/ : /\/colour is not a known field/,
    });
  });
}

test('a missing field, a wrong type and an unknown value are named', () => {
  assert.throws(() => checkRequest('POST', '/messages', { from: '+13035550100' }), /\/to is missing/);
  assert.throws(() => checkRequest('POST', '/messages', { to: 'x', media_urls: ['a', 4] }), /\/media_urls\/1 must be/);
  assert.throws(() => checkRequest('POST', '/messages', { to: 'x', type: 'FAX' }), /\/type must be .*"SMS","MMS"/);
});

test('a nested unknown field of a request is refused', () => {
  const body = { phone_numbers: [{ phone_number: '+13035550100', colour: 'red' }] };
  assert.throws(() => checkRequest('POST', '/number_orders', body), /\/phone_numbers\/0\/colour is not a known field/);
});

test('the bridge names the other leg as it is sent, not as the package takes it', () => {
  const body = { call_control_id_to_bridge_with: 'v3:def' };
  assert.throws(() => checkRequest('POST', '/calls/v3:abc/actions/bridge', body), /\/call_control_id is missing/);
});

test('an operation without a schema is refused', () => {
  assert.throws(() => checkRequest('POST', '/faxes', {}), /no schema/);
  assert.throws(() => checkResponse('GET', '/messages', {}), /no schema/);
});

test('an answer may have unknown fields, and its known fields are checked', () => {
  const call = { call_control_id: 'v3:a', call_leg_id: 'l', call_session_id: 's', is_alive: true, record_type: 'call' };
  checkResponse('GET', '/calls/v3:a', { data: { ...call, colour: 'red' } });
  assert.throws(
    () => checkResponse('GET', '/calls/v3:a', { data: { ...call, is_alive: 1 } }),
    /\/data\/is_alive must be/,
  );
  checkResponse('DELETE', '/porting_orders/o1', undefined);
});

test('a webhook may have unknown fields, and its known fields are checked', () => {
  const ended = { call_control_id: 'v3:a', hangup_cause: 'normal_clearing' };
  checkWebhook('call.hangup', event('call.hangup', { ...ended, colour: 'red' }));
  assert.throws(
    () => checkWebhook('call.hangup', event('call.hangup', { ...ended, hangup_cause: 'bored' })),
    /\/data\/payload\/hangup_cause must be/,
  );
});

test('a webhook has the envelope, also where the package has no type', () => {
  checkWebhook('10dlc.brand.update', event('10dlc.brand.update', { brandId: 'b1' }));
  checkWebhook('porting_order.status_changed', event('porting_order.status_changed', { id: 'o1' }));
  checkWebhook('campaignStatusUpdate', { campaignId: 'c1', type: 'VERIFIED', status: 'success' });
  assert.throws(() => checkWebhook('10dlc.brand.update', { brandId: 'b1' }), /\/data is missing/);
  assert.throws(() => checkWebhook('call.hangup', event('call.answered', {})), /event_type is call.answered/);
  assert.throws(() => checkWebhook('fax.sent', event('fax.sent', {})), /no schema/);
});
