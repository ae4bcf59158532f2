import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { createHmacSha256 } from './hmac.ts';

const NOTHING = Buffer.alloc(0);

describe('createHmacSha256', () => {
  test('returns the codes of RFC 4231', () => {
    const cases: [key: Buffer | string, text: string, code: string][] = [
      [Buffer.alloc(20, 0x0b), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
      ['Jefe', 'what do ya want for nothing?', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
      [
        Buffer.alloc(131, 0xaa),
        'Test Using Larger Than Block-Size Key - Hash Key First',
        '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
      ],
    ];
    for (const [key, text, code] of cases) {
      assert.equal(createHmacSha256(key)(text, NOTHING, 'hex'), code);
      assert.equal(createHmacSha256(key)('', Buffer.from(text), 'hex'), code);
    }
  });

  test('returns the codes of createHmac, for any key and text, in any order', () => {
    const key = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string(),
    );
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    checkProperty(
      fc.property(key, fc.array(fc.tuple(text, fc.uint8Array({ maxLength: 500 }))), (ofKey, parts) => {
        const hmac = createHmacSha256(ofKey);
        for (const [first, bytes] of parts) {
          const code = createHmac('sha256', ofKey).update(first).update(bytes);
          assert.equal(hmac(first, bytes, 'base64'), code.digest('base64'));
        }
      }),
    );
  });

  test('takes texts of any length and any characters', () => {
    const hmac = createHmacSha256('key');
    for (const length of [0, 1, 21_823, 21_824, 21_825, 65_472, 65_536, 1_000_000]) {
      for (const character of ['a', '€', '\ud800']) {
        const text = character.repeat(length);
        const code = createHmac('sha256', 'key').update(text).digest('hex');
        assert.equal(hmac(text, NOTHING, 'hex'), code, `${length}`);
        assert.equal(hmac('', Buffer.from(text), 'hex'), code, `${length} as bytes`);
      }
    }
  });
});
