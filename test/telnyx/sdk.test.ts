// own process: the SDK compares the times of webhooks with the machine's clock, and other files skip ahead of it.
/** The emulator against the SDK that Telnyx publishes: every operation of the adapter, lists, errors and webhooks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Telnyx from 'telnyx';
import { OPERATIONS, WEBHOOKS } from '../../scripts/telnyx-subjects.ts';
import { withoutNames } from '../../scripts/telnyx-types.ts';
import { encodeWav } from '../../src/audio/wav.ts';
import { useStreamServer } from './audio/stream-server.ts';
import { allOf, COMPANY, useSdk } from './use-sdk.ts';

const { client, control, receiver, verified, comes, buy } = await useSdk();
const streams = await useStreamServer();

const ANN = '+13035550142';
const BOB = '+13035550143';
const PLACE = {
  street_address: '1 Elm St',
  locality: 'Denver',
  administrative_area: 'CO',
  postal_code: '80202',
  country_code: 'US',
};
const BRAND = { ...COMPANY, webhookURL: receiver.url };
const CAMPAIGN = {
  usecase: 'CUSTOMER_CARE',
  description: 'Answers to questions of patients',
  sample1: 'Your appointment is at noon.',
  sample2: 'We are closed today.',
  termsAndConditions: true,
  webhookURL: receiver.url,
};

/** Events that nothing in these tests causes, and the body that has no envelope. */
const NOT_REPORTED = new Set([
  ...['call.cost', 'call.gather.ended', 'call.recording.error', 'call.recording.transcription.saved'],
  ...['streaming.failed', 'number_order.complete', 'porting_order.messaging_changed', 'porting_order.deleted'],
  ...['porting_order.loa_updated', 'campaignStatusUpdate'],
]);

test('numbers, their profiles and emergency addresses', async () => {
  const { profileId, numbers, orderId } = await buy(2);
  const [number = '', spare = ''] = numbers;
  assert.equal((await client.numberOrders.retrieve(orderId)).data?.status, 'success');
  const [order] = await allOf(client.numberOrders.list({ filter: { customer_reference: 'sdk_order' } }));
  assert.equal(order?.id, orderId);
  const [owned] = await allOf(client.phoneNumbers.list({ filter: { phone_number: number, status: 'active' } }));
  const id = owned?.id ?? '';
  assert.equal((await client.phoneNumbers.retrieve(id)).data?.messaging_profile_id, profileId);
  const tagged = await client.phoneNumbers.update(id, { customer_reference: 'pn_1', tags: ['acme'] });
  assert.deepEqual([tagged.data?.customer_reference, tagged.data?.tags], ['pn_1', ['acme']]);
  assert.equal((await client.phoneNumbers.messaging.retrieve(id)).data?.features?.sms?.domestic_two_way, true);
  const moved = await client.phoneNumbers.messaging.update(id, { messaging_profile_id: '' });
  assert.equal(moved.data?.messaging_profile_id ?? null, null);

  const validated = await client.addresses.actions.validate(PLACE);
  assert.equal(validated.data?.result, 'valid');
  const names = { first_name: 'Ann', last_name: 'Birch', business_name: 'Birch Dental' };
  const address = await client.addresses.create({ ...PLACE, ...names, customer_reference: 'addr_1' });
  const [listed] = await allOf(client.addresses.list({ filter: { customer_reference: { eq: 'addr_1' } } }));
  assert.equal(listed?.id, address.data?.id);
  const emergency_address_id = listed?.id ?? '';
  const enabled = { emergency_enabled: true, emergency_address_id };
  const { data: settings } = await client.phoneNumbers.actions.enableEmergency(id, enabled);
  assert.deepEqual(settings?.emergency, { ...enabled, emergency_status: 'active' });
  const { data: located } = await client.phoneNumbers.retrieve(id);
  assert.deepEqual([located?.emergency_status, located?.emergency_address_id], ['active', emergency_address_id]);
  await assert.rejects(client.addresses.delete(emergency_address_id), Telnyx.UnprocessableEntityError);
  await client.phoneNumbers.actions.enableEmergency(id, { ...enabled, emergency_enabled: false });
  assert.equal((await client.addresses.delete(emergency_address_id)).data?.id, emergency_address_id);

  await control.set({ portOutUrl: receiver.url });
  await control.portOut({ phoneNumbers: [number], status: 'pending' });
  const [asked] = await allOf(client.portouts.list({ filter: { phone_number: number, status: 'pending' } }));
  assert.deepEqual([asked?.status, asked?.phone_numbers], ['pending', [number]]);
  await comes('portout.status_changed');

  const [other] = await allOf(client.phoneNumbers.list({ filter: { phone_number: spare } }));
  assert.equal((await client.phoneNumbers.delete(other?.id ?? '')).data?.phone_number, spare);
  await assert.rejects(client.phoneNumbers.retrieve(other?.id ?? ''), Telnyx.NotFoundError);
});

test('texts, opt-outs, and the deliveries of their webhooks', async () => {
  const { profileId, numbers } = await buy(1);
  const [from = ''] = numbers;
  const ours = { name: 'sdk texts', webhook_failover_url: `${receiver.url}/backup` };
  assert.equal((await client.messagingProfiles.update(profileId, ours)).data?.name, ours.name);
  assert.equal((await client.messagingProfiles.retrieve(profileId)).data?.webhook_url, receiver.url);
  const [found, ...others] = await allOf(client.messagingProfiles.list({ filter: { name: ours.name } }));
  assert.deepEqual([found?.id, others], [profileId, []]);

  const webhook_url = `${receiver.url}/msg_1`;
  const sent = await client.messages.send({ from, to: ANN, text: 'Hello', webhook_url, use_profile_webhooks: false });
  assert.equal(sent.data?.to?.[0]?.status, 'queued');
  await comes('message.sent');
  const { payload } = await comes('message.finalized');
  assert.equal(payload['id'], sent.data?.id);
  assert.equal((await client.messages.retrieve(sent.data?.id ?? '')).data?.id, sent.data?.id);

  receiver.answer({ status: 503 });
  await control.textIn({ from: ANN, to: from, text: 'STOP' });
  await control.settled({});
  receiver.answer({});
  const filter = { event_type: 'message.received', status: { eq: 'failed' as const } };
  const [missed] = await allOf(client.webhookDeliveries.list({ filter }));
  assert.deepEqual([missed?.status, missed?.webhook?.event_type], ['failed', 'message.received']);
  assert.equal(missed?.attempts?.length, 6);
  const [optout] = await allOf(client.messagingOptouts.list({ filter: { messaging_profile_id: profileId } }));
  assert.deepEqual([optout?.to, optout?.keyword], [ANN, 'STOP']);
  const { data: balance } = await client.balance.retrieve();
  assert.match(balance?.balance ?? '', /^\d+\.\d\d$/);
  assert.equal((await client.messagingProfiles.delete(profileId)).data?.id, profileId);
});

test('brands, campaigns and the numbers of campaigns', async () => {
  const { brand, campaign, campaignBuilder, phoneNumberCampaigns } = client.messaging10dlc;
  const { brandId = '' } = await brand.create(BRAND);
  await control.settled({});
  const [listed] = await allOf(brand.list({ displayName: BRAND.displayName }));
  assert.deepEqual([listed?.brandId, (await brand.retrieve(brandId)).identityStatus], [brandId, 'VERIFIED']);
  assert.deepEqual(await brand.getFeedback(brandId), { brandId, category: [] });

  const needs = await campaignBuilder.brand.qualifyByUsecase('MIXED', { brandId });
  assert.deepEqual([needs.minSubUsecases, needs.maxSubUsecases], [2, 5]);
  const made = await campaignBuilder.submit({ ...CAMPAIGN, brandId, referenceId: 'cmp_1' });
  const campaignId = made.campaignId ?? '';
  await control.settled({});
  const { campaignStatus, referenceId } = await campaign.retrieve(campaignId);
  assert.deepEqual([campaignStatus, referenceId], ['MNO_PROVISIONED', 'cmp_1']);
  const ofBrand = await allOf(campaign.list({ brandId }));
  assert.deepEqual(
    ofBrand.map((each) => each.campaignId),
    [campaignId],
  );
  assert.ok('10017' in (await campaign.getMnoMetadata(campaignId)));
  assert.equal(Object(await campaign.getOperationStatus(campaignId))['10017'], 'REGISTERED');
  assert.ok('10035' in (await campaign.osr.getAttributes(campaignId)));

  const [phoneNumber = ''] = (await buy(1)).numbers;
  await phoneNumberCampaigns.create({ phoneNumber, campaignId });
  await control.settled({});
  assert.equal((await phoneNumberCampaigns.retrieve(phoneNumber)).assignmentStatus, 'ASSIGNED');
  assert.equal((await phoneNumberCampaigns.update(phoneNumber, { phoneNumber, campaignId })).phoneNumber, phoneNumber);
  const assigned = await allOf(phoneNumberCampaigns.list({ filter: { telnyx_campaign_id: campaignId } }));
  assert.deepEqual(
    assigned.map((each) => each.phoneNumber),
    [phoneNumber],
  );
  assert.equal((await phoneNumberCampaigns.delete(phoneNumber)).phoneNumber, phoneNumber);
  assert.ok((await campaign.deactivate(campaignId)).time > 0);
});

test('the code of a sole proprietor', async () => {
  const { brand } = client.messaging10dlc;
  const { companyName, ein, ...common } = BRAND;
  const person = { firstName: 'Ann', lastName: 'Birch', mobilePhone: ANN };
  const { brandId = '' } = await brand.create({ ...common, ...person, entityType: 'SOLE_PROPRIETOR' });
  await control.settled({});
  const texts = { pinSms: 'Your code is @OTP_PIN@', successSms: 'Thank you' };
  const { referenceId } = await brand.triggerSMSOtp(brandId, texts);
  const pin = (await control.handset({ phoneNumber: ANN })).at(-1)?.text.slice(-6) ?? '';
  await brand.verifySMSOtp(brandId, { otpPin: pin });
  const { referenceId: known, verifyDate } = await brand.retrieveSMSOtpStatus(brandId);
  assert.deepEqual([known, typeof verifyDate], [referenceId, 'string']);
  assert.equal((await brand.retrieve(brandId)).identityStatus, 'VERIFIED');
});

test('ports and their documents', async () => {
  const [number, moving] = ['+13035550101', '+13035550102'];
  const { data: verdicts } = await client.portabilityChecks.run({ phone_numbers: [number] });
  assert.equal(verdicts?.[0]?.portable, true);
  const { data: orders } = await client.portingOrders.create({
    phone_numbers: [number, moving],
    customer_reference: 'port_1',
  });
  const id = orders?.[0]?.id ?? '';
  const file = Buffer.from('%PDF-1.7\n').toString('base64');
  const upload = async (customer_reference: string): Promise<string> => {
    const { data } = await client.documents.uploadJson({ document: { file, filename: 'a.pdf', customer_reference } });
    return data?.id ?? '';
  };
  const [loa, invoice, other] = [await upload('doc_1'), await upload('doc_2'), await upload('doc_3')];
  const [document] = await allOf(client.documents.list({ filter: { customer_reference: { eq: 'doc_2' } } }));
  assert.deepEqual([document?.id, (await client.documents.retrieve(loa)).data?.customer_reference], [invoice, 'doc_1']);

  const needs = await allOf(client.portingOrders.retrieveRequirements(id));
  assert.deepEqual(
    needs.map(({ requirement_type }) => requirement_type?.name),
    ['Letter of Authorization', 'Invoice'],
  );
  const admin = {
    entity_name: 'Birch Dental LLC',
    auth_person_name: 'Ann Birch',
    billing_phone_number: number,
    account_number: '77',
  };
  const details = { end_user: { admin, location: PLACE }, documents: { loa, invoice }, webhook_url: receiver.url };
  assert.equal((await client.portingOrders.update(id, details)).data?.requirements_met, true);
  await client.portingOrders.additionalDocuments.create(id, {
    additional_documents: [{ document_id: other, document_type: 'other' }],
  });
  const [more] = await allOf(client.portingOrders.additionalDocuments.list(id));
  assert.equal(more?.document_id, other);

  await control.pendPorts({ pend: true });
  assert.equal((await client.portingOrders.actions.confirm(id)).data?.status?.value, 'in-process');
  const byReference = { filter: { customer_reference: 'port_1' }, include_phone_numbers: true };
  const [listed] = await allOf(client.portingOrders.list(byReference));
  assert.deepEqual([listed?.id, listed?.phone_numbers?.length], [id, 2]);
  const byNumber = { filter: { phone_numbers: { phone_number: { contains: moving } } } };
  assert.equal((await allOf(client.portingOrders.list(byNumber)))[0]?.id, id);
  assert.deepEqual(await allOf(client.portingOrders.list({ filter: { customer_reference: 'port_2' } })), []);
  await control.splitPort({ id, phoneNumbers: [moving] });
  await control.commentPort({ id, body: 'Please send a newer invoice.' });
  assert.equal((await client.portingOrders.actions.cancel(id)).data?.status?.value, 'cancel-pending');
  await control.decidePort({ id, status: 'cancelled' });
  await control.settled({});
  assert.equal((await client.portingOrders.retrieve(id)).data?.status?.value, 'cancelled');
  const [event] = await allOf(client.porting.events.list({ filter: { porting_order_id: id } }));
  const eventId = (event && 'id' in event && event.id) || '';
  assert.equal((await client.porting.events.retrieve(eventId)).data?.event_type, 'porting_order.status_changed');
  const before = receiver.received.length;
  await client.porting.events.republish(eventId);
  await control.settled({});
  assert.equal(receiver.received.length, before + 1);

  const [draft] = (await client.portingOrders.create({ phone_numbers: ['+13035550103'] })).data ?? [];
  await client.portingOrders.delete(draft?.id ?? '');
  await assert.rejects(client.portingOrders.retrieve(draft?.id ?? ''), Telnyx.NotFoundError);
});

test('calls and their commands', async () => {
  const { data: profile } = await client.outboundVoiceProfiles.create({ name: 'sdk out' });
  const profileId = profile?.id ?? '';
  const limited = await client.outboundVoiceProfiles.update(profileId, { name: 'sdk out', concurrent_call_limit: 9 });
  assert.equal(limited.data?.concurrent_call_limit, 9);
  assert.equal((await client.outboundVoiceProfiles.retrieve(profileId)).data?.name, 'sdk out');
  const [listed] = await allOf(client.outboundVoiceProfiles.list({ filter: { name: { contains: 'sdk out' } } }));
  assert.equal(listed?.id, profileId);

  const named = { application_name: 'sdk desk', webhook_event_url: receiver.url };
  const outbound = { outbound_voice_profile_id: profileId };
  const { data: made } = await client.callControlApplications.create({ ...named, webhook_api_version: '2', outbound });
  const connection_id = made?.id ?? '';
  await client.callControlApplications.update(connection_id, { ...named, first_command_timeout: false });
  assert.equal((await client.callControlApplications.retrieve(connection_id)).data?.webhook_api_version, '2');
  const filter = { application_name: { contains: 'sdk desk' } };
  assert.equal((await allOf(client.callControlApplications.list({ filter })))[0]?.id, connection_id);

  const [number = ''] = (await buy(1, { connection_id })).numbers;
  for (const phoneNumber of [ANN, BOB]) {
    await control.person({ phoneNumber, saysMs: 0, presses: '', hangsUpAfterMs: null });
  }
  const { actions } = client.calls;
  const refused = await control.callIn({ from: BOB, to: number });
  await actions.reject(refused, { cause: 'USER_BUSY' });
  const ann = await control.callIn({ from: ANN, to: number });
  const isOf = (id: string) => (event: { payload: Readonly<Record<string, unknown>> }) =>
    event.payload['call_control_id'] === id;
  const answer = await actions.answer(ann, { client_state: 'YW5u', command_id: 'answer ann' });
  assert.equal(answer.data?.result, 'ok');
  await comes('call.answered', isOf(ann));
  const dialed = await client.calls.dial({ connection_id, to: BOB, from: number, link_to: ann, client_state: 'Ym9i' });
  const bob = dialed.data?.call_control_id ?? '';
  await comes('call.answered', isOf(bob));
  await actions.bridge(ann, { call_control_id_to_bridge_with: bob, park_after_unbridge: 'self' });
  await comes('call.bridged', isOf(bob));
  assert.equal((await client.calls.retrieveStatus(ann)).data?.is_alive, true);

  await actions.startRecording(ann, { channels: 'dual', format: 'wav' });
  await actions.startStreaming(ann, { stream_url: streams.url, stream_track: 'both_tracks', stream_codec: 'PCMU' });
  await streams.connected();
  await actions.startTranscription(ann, { transcription_engine: 'B', transcription_tracks: 'inbound' });
  await control.say({ phoneNumber: ANN, ms: 100 });
  await comes('call.transcription');
  await actions.sendDtmf(ann, { digits: '1' });
  await control.press({ phoneNumber: ANN, digits: '7' });
  await comes('call.dtmf.received');
  await actions.stopTranscription(ann, {});
  await actions.stopStreaming(ann, {});
  await comes('streaming.stopped');
  await actions.pauseRecording(ann, {});
  await actions.resumeRecording(ann, {});
  await actions.stopRecording(ann, {});
  const { payload } = await comes('call.recording.saved');
  const recordingId = `${payload['recording_id']}`;

  await actions.speak(ann, { payload: 'Hello', voice: 'female', language: 'en-US' });
  await comes('call.speak.ended');
  const playback_content = encodeWav(new Int16Array(800)).toString('base64');
  await actions.startPlayback(ann, { playback_content, loop: 'infinity' });
  await actions.stopPlayback(ann, { stop: 'all' });
  await comes('call.playback.ended');
  const held = await client.conferences.create({ call_control_id: ann, name: 'hold' });
  await comes('conference.participant.joined');
  await client.conferences.actions.leave(held.data?.id ?? '', { call_control_id: ann });
  await comes('conference.participant.left');
  const machine = '+13035550188';
  await control.person({ phoneNumber: machine, is: 'machine', presses: '' });
  const asked = { connection_id, to: machine, from: number, answering_machine_detection: 'premium' } as const;
  const { data: recorder } = await client.calls.dial(asked);
  await comes('call.machine.premium.detection.ended');
  await comes('call.machine.premium.greeting.ended');
  await actions.hangup(recorder?.call_control_id ?? '', {});
  await actions.hangup(ann, {});
  await comes('call.hangup', isOf(ann));

  const ofLeg = { filter: { call_leg_id: `${payload['call_leg_id']}` } };
  assert.equal((await allOf(client.recordings.list(ofLeg)))[0]?.id, recordingId);
  assert.equal((await client.recordings.retrieve(recordingId)).data?.channels, 'dual');
  assert.equal((await client.recordings.delete(recordingId)).data?.id, recordingId);
});

test('the SDK verifies every webhook, and refuses an altered one', async () => {
  await control.settled({});
  const types = new Set((await verified()).map(({ event_type }) => event_type));
  const missing = Object.keys(WEBHOOKS).filter((type) => !types.has(type) && !NOT_REPORTED.has(type));
  assert.deepEqual(missing, []);
  for (const { headers, body } of receiver.received) {
    const altered = body.replace('"event_type":"', '"event_type":"x');
    const unwrapped = client.webhooks.unwrap(altered, { headers: headers as Record<string, string> });
    await assert.rejects(unwrapped, { name: 'TelnyxWebhookVerificationError', message: /does not match payload/ });
  }
});

test('every operation that an adapter may use was called through the SDK', async () => {
  const called = new Set((await control.requests({})).map(({ operation }) => withoutNames(operation)));
  assert.deepEqual(
    OPERATIONS.filter((operation) => !called.has(withoutNames(operation))),
    [],
  );
});
