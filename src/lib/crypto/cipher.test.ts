import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { character, checkProperty } from '../../../test/support/property.ts';
import { createCipher } from './cipher.ts';

const OLD = 'the first secret of an operator';
const NEW = 'the second secret of an operator';
const CONTEXT = 'webhook_secret:whe_1';

describe('encryption', () => {
  test('a sealed value opens unchanged, under any context', () => {
    const cipher = createCipher(OLD);
    checkProperty(
      fc.property(fc.uint8Array(), fc.string({ unit: character }), (bytes, context) => {
        const value = Buffer.from(bytes);
        assert.deepEqual(cipher.decrypt(cipher.encrypt(value, context), context), value);
      }),
    );
    assert.equal(cipher.decrypt(cipher.encrypt('grüezi €', CONTEXT), CONTEXT).toString(), 'grüezi €');
  });

  test('the same value is never sealed the same way twice', () => {
    const cipher = createCipher(OLD);
    assert.notDeepEqual(cipher.encrypt('secret', CONTEXT), cipher.encrypt('secret', CONTEXT));
    assert.ok(!cipher.encrypt('secret', CONTEXT).includes('secret'));
  });

  test('a change of any single bit makes it unreadable', () => {
    const cipher = createCipher(OLD);
    const sealed = cipher.encrypt('secret', CONTEXT);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.throws(() => cipher.decrypt(altered, CONTEXT), `bit ${bit}`);
    }
  });

  test('a cut or lengthened value, or none at all, does not open', () => {
    const cipher = createCipher(OLD);
    const sealed = cipher.encrypt('secret', CONTEXT);
    for (let length = 0; length < sealed.length; length++) {
      assert.throws(() => cipher.decrypt(sealed.subarray(0, length), CONTEXT));
    }
    assert.throws(() => cipher.decrypt(Buffer.concat([sealed, Buffer.of(0)]), CONTEXT));
  });

  test('a value moved to another context does not open', () => {
    const cipher = createCipher(OLD);
    assert.throws(() => cipher.decrypt(cipher.encrypt('secret', CONTEXT), 'webhook_secret:whe_2'));
  });
});

describe('rotation', () => {
  test('with a new secret first, values of the old secret open and the new secret seals', () => {
    const sealedBefore = createCipher(OLD).encrypt('secret', CONTEXT);
    const rotated = createCipher([NEW, OLD]);
    assert.equal(rotated.decrypt(sealedBefore, CONTEXT).toString(), 'secret');
    const sealedAfter = rotated.encrypt('secret', CONTEXT);
    assert.equal(createCipher(NEW).decrypt(sealedAfter, CONTEXT).toString(), 'secret');
    assert.throws(() => createCipher(OLD).decrypt(sealedAfter, CONTEXT), /not configured/);
  });

  test('without the old secret its values do not open', () => {
    const sealed = createCipher(OLD).encrypt('secret', CONTEXT);
    assert.throws(() => createCipher(NEW).decrypt(sealed, CONTEXT), /not configured/);
  });

  test('an empty list or a short secret is refused immediately', () => {
    assert.throws(() => createCipher([]), RangeError);
    assert.throws(() => createCipher('short'), RangeError);
    assert.throws(() => createCipher([NEW, '']), RangeError);
  });
});

describe('derived keys', () => {
  test('a key is 32 bytes, stable for its label and secret, and shared with no other', () => {
    const cipher = createCipher(OLD);
    const key = cipher.deriveKey('realtime');
    assert.equal(key.length, 32);
    assert.deepEqual(createCipher(OLD).deriveKey('realtime'), key);
    assert.notDeepEqual(cipher.deriveKey('stream'), key);
    assert.notDeepEqual(createCipher(NEW).deriveKey('realtime'), key);
  });

  test('during a rotation the old key comes after the new one', () => {
    const keys = createCipher([NEW, OLD]).deriveKeys('realtime');
    assert.deepEqual(keys, [createCipher(NEW).deriveKey('realtime'), createCipher(OLD).deriveKey('realtime')]);
  });
});
