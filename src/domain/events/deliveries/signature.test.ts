import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifySignature, verifyStandardSignature } from '../../../../test/support/verify-signature.ts';
import { createSigner, makeSecret, signDelivery } from './signature.ts';

const NOW_S = 1_790_000_000;
const BODY = '{"id":"evt_1","data":{"body":"grüezi €"}}';

function received(options: { secrets: readonly string[]; body?: string; timestampS?: number }) {
  const { secrets, body = BODY, timestampS = NOW_S } = options;
  const signed = signDelivery({
    eventId: 'evt_1',
    body: Buffer.from(body),
    signers: secrets.map(createSigner),
    timestampS,
  });
  const headers = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
  return { headers, body, nowS: NOW_S };
}

describe('signDelivery', () => {
  test('the headers are exactly those computed by hand for a known secret', () => {
    // Made by `printf '%s' CONTENT | openssl dgst -sha256 -hmac SECRET` and, for the second scheme, `-macopt hexkey:`.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = signDelivery({
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: Buffer.from('{"test": 2432232314}'),
      signers: [createSigner(secret)],
      timestampS: 1_614_265_330,
    });
    assert.deepEqual(signed, {
      'Service-Signature': 't=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('a receiver accepts both schemes for any text', () => {
    const secret = makeSecret();
    for (const body of [BODY, '', '\0ÿ\n', '€'.repeat(30_000)]) {
      const delivery = { ...received({ secrets: [secret], body }), secret };
      assert.equal(verifySignature(delivery), 'valid');
      assert.equal(verifyStandardSignature(delivery), 'valid');
    }
  });

  test('during a rotation the old and the new secret both verify, and no other', () => {
    const [fresh, old, foreign] = [makeSecret(), makeSecret(), makeSecret()];
    const delivery = received({ secrets: [fresh, old] });
    assert.equal(delivery.headers['service-signature']?.match(/v1=/g)?.length, 2);
    assert.equal(delivery.headers['webhook-signature']?.split(' ').length, 2);
    for (const secret of [fresh, old]) {
      assert.equal(verifySignature({ ...delivery, secret }), 'valid');
      assert.equal(verifyStandardSignature({ ...delivery, secret }), 'valid');
    }
    assert.equal(verifySignature({ ...delivery, secret: foreign }), 'mismatch');
    assert.equal(verifyStandardSignature({ ...delivery, secret: foreign }), 'mismatch');
  });

  test('a changed body, time or event id does not verify', () => {
    const secret = makeSecret();
    const delivery = { ...received({ secrets: [secret] }), secret };
    const changedBody = { ...delivery, body: `${BODY} ` };
    assert.equal(verifySignature(changedBody), 'mismatch');
    assert.equal(verifyStandardSignature(changedBody), 'mismatch');
    const serviceSignature = delivery.headers['service-signature'] ?? '';
    const later = { 'service-signature': serviceSignature.replace(String(NOW_S), String(NOW_S + 1)) };
    assert.equal(verifySignature({ ...delivery, headers: { ...delivery.headers, ...later } }), 'mismatch');
    const renamed = { ...delivery.headers, 'webhook-id': 'evt_2' };
    assert.equal(verifyStandardSignature({ ...delivery, headers: renamed }), 'mismatch');
  });

  test('a delivery recorded more than five minutes ago is stale', () => {
    const secret = makeSecret();
    for (const [ageS, verdict] of [
      [300, 'valid'],
      [301, 'stale'],
    ] as const) {
      const delivery = { ...received({ secrets: [secret], timestampS: NOW_S - ageS }), secret };
      assert.equal(verifySignature(delivery), verdict);
      assert.equal(verifyStandardSignature(delivery), verdict);
    }
  });

  test('a delivery without secrets is never signed', () => {
    assert.throws(
      () => signDelivery({ eventId: 'evt_1', body: Buffer.from(BODY), signers: [], timestampS: NOW_S }),
      RangeError,
    );
  });
});

test('a secret is whsec_ and the base64 of 32 bytes, never the same twice', () => {
  const secret = makeSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  assert.notEqual(makeSecret(), secret);
});
