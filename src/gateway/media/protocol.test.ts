import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../test/support/property.ts';
import { MARK_CHARS_MAX } from '../../carriers/ports/audio.ts';
import { decodeBase64 } from '../../lib/crypto/base64.ts';
import { PAYLOAD_MS_MAX, parseClientMessage, startText, tracksOf } from './protocol.ts';

test('start names the stream, its call, its tracks and the format', () => {
  const call = { ledgerId: 1, callId: 'call_1' };
  const own = { dialect: 'native', accountId: 'acc_1', parameters: {} } as const;
  const stream = { streamId: 'stm_1', call, direction: 'fork', track: 'both', ...own } as const;
  assert.deepEqual(JSON.parse(startText(stream)), {
    event: 'start',
    stream_id: 'stm_1',
    call_id: 'call_1',
    tracks: ['inbound', 'outbound'],
    media_format: { encoding: 'audio/x-mulaw', sample_rate: 8000 },
  });
  assert.deepEqual(tracksOf({ track: 'outbound' }), ['outbound']);
});

describe('a client message', () => {
  const payload = Buffer.from('some audio').toString('base64');

  test('is read', () => {
    const media = parseClientMessage(JSON.stringify({ event: 'media', payload, stream_sid: 'ignored' }));
    assert.deepEqual(media, { event: 'media', audio: Uint8Array.from(Buffer.from('some audio')) });
    assert.deepEqual(parseClientMessage('{"event":"clear"}'), { event: 'clear' });
    assert.deepEqual(parseClientMessage('{"event":"mark","name":"é"}'), { event: 'mark', name: 'é' });
  });

  const wrong: Record<string, string> = {
    'no JSON': 'hello',
    'an array': '[]',
    null: 'null',
    'no event': '{}',
    'an unknown event': '{"event":"play"}',
    'media without payload': '{"event":"media"}',
    'a payload that is not text': '{"event":"media","payload":7}',
    'a payload in the alphabet of URLs': '{"event":"media","payload":"_-_-"}',
    'a payload without padding': '{"event":"media","payload":"AAA"}',
    'a payload with a line break': '{"event":"media","payload":"AA\\nAAA=="}',
    'a payload with bits left over': '{"event":"media","payload":"AB=="}',
    'a payload over the limit': JSON.stringify({
      event: 'media',
      payload: Buffer.alloc(PAYLOAD_MS_MAX * 8 + 1).toString('base64'),
    }),
    'a mark without a name': '{"event":"mark"}',
    'a mark with an empty name': '{"event":"mark","name":""}',
    'a mark with a long name': JSON.stringify({ event: 'mark', name: 'x'.repeat(MARK_CHARS_MAX + 1) }),
  };
  for (const [what, text] of Object.entries(wrong)) {
    test(`is refused with ${what}, with a reason that fits a close frame`, () => {
      const parsed = parseClientMessage(text);
      assert.ok('malformed' in parsed);
      assert.ok(Buffer.byteLength(parsed.malformed) <= 123);
    });
  }

  test('may have the longest payload, or an empty one', () => {
    const longest = Buffer.alloc(PAYLOAD_MS_MAX * 8).toString('base64');
    assert.ok('event' in parseClientMessage(JSON.stringify({ event: 'media', payload: longest })));
    assert.ok('event' in parseClientMessage('{"event":"media","payload":""}'));
  });
});

test('encoded base64 is decoded, and nothing else is accepted', () => {
  checkProperty(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64')), bytes);
    }),
  );
  checkProperty(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = decodeBase64(text);
      if (bytes !== undefined) assert.equal(Buffer.from(bytes).toString('base64'), text);
    }),
  );
});
