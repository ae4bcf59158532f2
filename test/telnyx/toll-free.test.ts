/** Toll-free numbers, which Telnyx lists for texts and does not let text before it has verified them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { harness, key, tenantId, get, make } = await useTelnyxLine();

const search = async (query: string) => (await get(`/phone_numbers/available?${query}`)).data;

test('a search shows a toll-free number for calls alone and says why, and says nothing of other numbers', async () => {
  for (const { capabilities, texts_unavailable } of await search('area_code=833&limit=3')) {
    assert.deepEqual(capabilities, ['voice']);
    assert.match(texts_unavailable, /toll-free number sends texts only after a verification/);
  }
  for (const offered of await search('area_code=303&limit=3')) {
    assert.deepEqual([offered.capabilities, 'texts_unavailable' in offered], [['sms', 'mms', 'voice'], false]);
  }
});

test('a toll-free number that was bought sends no text, and Telnyx is asked for none', async () => {
  const [{ phone_number }] = await search('area_code=855&limit=1');
  const { id, capabilities } = await make('/phone_numbers', { tenant_id: tenantId, phone_number });
  assert.deepEqual(capabilities, ['voice']);
  const body = { from: id, to: newPerson(), body: 'Hello' };
  const { status, body: reply } = await harness.call('POST', '/v1/messages', { key, body });
  assert.deepEqual([status, reply.error.code], [422, 'number_not_sms_capable']);
});
