import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TELNYX_KIND } from '../../carriers/telnyx/index.ts';
import { checkGiven } from './connection-fields.ts';

const given = (more: Readonly<Record<string, string>>) => ({
  settings: { public_url: 'https://phone.example.com', ...more },
  credentials: { key: 'KEY1', public_key: 'e5jKx' },
});

test('a connection to Telnyx takes both detectors of answering machines, and names them if another is given', () => {
  for (const settings of [{}, { machine_detection: 'gateway' }, { machine_detection: 'telnyx' }]) {
    const asked = given(settings);
    assert.deepEqual(checkGiven(TELNYX_KIND.description, asked), asked);
  }
  const wrong = () => checkGiven(TELNYX_KIND.description, given({ machine_detection: 'premium' }));
  assert.throws(wrong, /machine_detection is "telnyx" or "gateway", not "premium"/);
});
