import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import type { CarrierRequest } from '../../adapter.ts';
import { readPublicKey, signatureProblem } from './signature.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const BODY = '{"data":{"id":"1","event_type":"message.received"}}';

/** A key pair, and its public key as the portal shows it. */
function makeKey(): { key: KeyObject; shown: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { key: privateKey, shown: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64') };
}

const { key, shown } = makeKey();

function report({ offS = 0, signer = key, sentAs = BODY } = {}): CarrierRequest {
  const stamp = String(NOW.getTime() / 1000 + offS);
  const signature = sign(null, Buffer.from(`${stamp}|${BODY}`), signer).toString('base64');
  return {
    path: '',
    headers: { 'telnyx-signature-ed25519': signature, 'telnyx-timestamp': stamp },
    body: Buffer.from(sentAs),
    now: NOW,
  };
}

const problemOf = (request: CarrierRequest) => signatureProblem(readPublicKey(shown), request);

describe('a report', () => {
  test('that Telnyx has signed is taken', () => assert.equal(problemOf(report()), undefined));

  test('of which a byte was altered is refused', () => {
    assert.equal(problemOf(report({ sentAs: BODY.replace('received', 'receivee') })), 'wrong_signature');
  });

  test('that another account has signed is refused', () => {
    assert.equal(problemOf(report({ signer: makeKey().key })), 'wrong_signature');
  });

  test('whose time stamp was altered is refused', () => {
    const { headers, ...rest } = report();
    const stamp = String(Number(headers['telnyx-timestamp']) + 1);
    assert.equal(problemOf({ ...rest, headers: { ...headers, 'telnyx-timestamp': stamp } }), 'wrong_signature');
  });

  for (const [offS, expected] of [
    [300, undefined],
    [-300, undefined],
    [301, 'wrong_time'],
    [-301, 'wrong_time'],
  ] as const) {
    test(`signed ${offS} s from now`, () => assert.equal(problemOf(report({ offS })), expected));
  }

  for (const [name, headers] of [
    ['without headers', {}],
    ['with half a signature', { 'telnyx-signature-ed25519': 'AAAA', 'telnyx-timestamp': '1772366400' }],
    ['with a time stamp that is no number', { ...report().headers, 'telnyx-timestamp': 'now' }],
  ] as const) {
    test(`${name} is refused`, () => assert.equal(problemOf({ ...report(), headers }), 'wrong_signature'));
  }
});

describe('a public key', () => {
  test('is 32 bytes in base64', () => assert.ok(readPublicKey(`${shown}\n`) !== undefined));
  for (const text of ['', 'not base64', Buffer.alloc(31).toString('base64')]) {
    test(`is not ${JSON.stringify(text)}; then no report is taken`, () => {
      assert.equal(readPublicKey(text), undefined);
      assert.equal(signatureProblem(readPublicKey(text), report()), 'wrong_signature');
    });
  }
});
