import { test } from 'node:test';
import { useHarness } from '../support/harness.ts';
import { playJourney } from './journey.ts';

const harness = await useHarness();

test('a clinic gets its phone service with a test key: texts, calls, voicemail, a stream, a port-in and 911', () =>
  playJourney(harness, harness.account.test_key, {
    text: async (body) => {
      await harness.call('POST', '/v1/test/inbound_messages', { body });
    },
    call: async (body) => {
      await harness.call('POST', '/v1/test/inbound_calls', { body });
    },
    say: async ({ callId, text }) => {
      await harness.call('POST', `/v1/test/calls/${callId}/speech`, { body: { speaker: 'customer', text } });
    },
  }));
