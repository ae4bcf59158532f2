import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSON, useCallLine } from './call-line.ts';

const { line, call, control, receiver, events, payloadOf, requestDial, dial } = await useCallLine();

const APPLICATION = { application_name: 'Front desk', webhook_event_url: 'https://example.com/calls' };

/** Returns the names that a list has. */
async function namesIn(path: string): Promise<string[]> {
  const { data } = await call('GET', path);
  return (data as { application_name?: string; name?: string }[]).map(
    (each) => each.application_name ?? `${each.name}`,
  );
}

test('an application has the events of version 1 unless it asks for version 2', async () => {
  const made = await call('POST', '/call_control_applications', APPLICATION);
  const { id, ...data } = made.data as { id: string; webhook_api_version: string; active: boolean };
  assert.deepEqual([made.status, data.webhook_api_version, data.active], [200, '1', true]);
  const changed = await call('PATCH', `/call_control_applications/${id}`, { ...APPLICATION, webhook_api_version: '2' });
  assert.equal((changed.data as { webhook_api_version: string }).webhook_api_version, '2');
  const read = await call('GET', `/call_control_applications/${id}`);
  assert.deepEqual(read.data, changed.data);
});

test('applications are found by a part of their name, the newest first', async () => {
  await call('POST', '/call_control_applications', APPLICATION);
  await call('POST', '/call_control_applications', { ...APPLICATION, application_name: 'Back office' });
  assert.deepEqual(await namesIn('/call_control_applications'), ['Back office', 'Front desk', 'desk']);
  const found = await namesIn('/call_control_applications?filter[application_name][contains]=DESK');
  assert.deepEqual(found, ['Front desk', 'desk']);
  const short = await call('GET', '/call_control_applications?filter[application_name][contains]=de');
  assert.equal(short.code, '10015');
});

test('an application of an unknown id is not found, and one of an unknown outbound profile is refused', async () => {
  assert.equal((await call('GET', '/call_control_applications/1')).status, 404);
  const outbound = { outbound_voice_profile_id: '1' };
  assert.equal((await call('POST', '/call_control_applications', { ...APPLICATION, outbound })).code, '10015');
});

test('an outbound profile allows the United States and Canada unless it is changed', async () => {
  const { data } = await call('GET', `/outbound_voice_profiles/${line.profileId}`);
  assert.deepEqual((data as { whitelisted_destinations: string[] }).whitelisted_destinations, ['US', 'CA']);
  const change = { name: 'Canada only', whitelisted_destinations: ['CA'] };
  assert.equal((await call('PATCH', `/outbound_voice_profiles/${line.profileId}`, change)).status, 200);
  assert.deepEqual(await namesIn('/outbound_voice_profiles?filter[name][contains]=canada'), ['Canada only']);
  const { call_control_id } = await dial();
  const { hangup_cause, sip_hangup_cause } = await payloadOf(call_control_id, 'call.hangup');
  assert.deepEqual([hangup_cause, sip_hangup_cause], ['call_rejected', '403']);
});

test('an application without an outbound profile, or one that is off, lets no call out', async () => {
  const { id } = (await call('POST', '/call_control_applications', APPLICATION)).data as { id: string };
  assert.equal((await requestDial({ connection_id: id })).code, '10010');
  await call('PATCH', `/call_control_applications/${line.connectionId}`, { ...APPLICATION, active: false });
  assert.equal((await requestDial()).code, '10015');
});

test('an outbound profile with as many calls as it allows lets no further one out', async () => {
  const limit = { name: 'voice', concurrent_call_limit: 1 };
  await call('PATCH', `/outbound_voice_profiles/${line.profileId}`, limit);
  await dial();
  const refused = await requestDial();
  assert.deepEqual([refused.status, refused.code], [403, '90042']);
});

test('an application with as many calls as it allows lets no further one out', async () => {
  const outbound = { outbound_voice_profile_id: line.profileId, channel_limit: 1 };
  await call('PATCH', `/call_control_applications/${line.connectionId}`, { ...APPLICATION, outbound });
  await dial();
  const refused = await requestDial();
  assert.deepEqual([refused.status, refused.code], [403, '90043']);
});

test('a new account has two calls at once, and another one after one has ended', async () => {
  await control.set({ newAccount: true });
  const { call_control_id } = await dial();
  await dial();
  const refused = await requestDial();
  assert.deepEqual([refused.status, refused.code], [403, '90041']);
  await call('POST', `/calls/${call_control_id}/actions/hangup`, {});
  await dial();
  await control.set({ newAccount: false });
});

test('no webhook of a call is posted for an application with the events of version 1', async () => {
  const old = { ...APPLICATION, webhook_event_url: receiver.url, webhook_api_version: '1' };
  await call('PATCH', `/call_control_applications/${line.connectionId}`, old);
  await dial({ webhook_url: receiver.url });
  await control.callIn({ from: PERSON, to: line.number });
  assert.deepEqual(await events(), []);
});

test('a number without an application takes no call', async () => {
  await call('PATCH', `/call_control_applications/${line.connectionId}`, { ...APPLICATION, active: false });
  await assert.rejects(control.callIn({ from: PERSON, to: line.number }), /no active application takes calls/);
});
