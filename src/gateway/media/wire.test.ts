import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  decodeBase64,
  MARK_CHARS_MAX,
  MEDIA_BYTES_MAX,
  PAYLOAD_MS_MAX,
  parseClientMessage,
  startText,
  textMessage,
  tracksOf,
  writeMedia,
} from './wire.ts';

/** Takes one unmasked text message apart as RFC 6455 has it. */
function read(bytes: Buffer): { text: string; rest: Buffer } {
  assert.equal(bytes[0], 0x81);
  const short = bytes[1] as number;
  const header = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = header === 2 ? short : header === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { text: bytes.toString('utf8', header, header + length), rest: bytes.subarray(header + length) };
}

test('a media message is one WebSocket message with exactly the documented fields', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 160, maxLength: 160 }),
      fc.nat(),
      fc.constantFrom('inbound', 'outbound'),
      (frame, place, track) => {
        const bytes = Buffer.alloc(2 * MEDIA_BYTES_MAX, 0xee);
        const message = { track, seq: place + 1, timestampMs: place * 20, frame };
        const end = writeMedia(bytes, 7, message);
        const { text, rest } = read(bytes.subarray(7, end));
        assert.equal(rest.length, 0);
        assert.deepEqual(JSON.parse(text), {
          event: 'media',
          track,
          seq: place + 1,
          timestamp_ms: place * 20,
          payload: Buffer.from(frame).toString('base64'),
        });
      },
    ),
  );
});

test('base64 of any length is padded as it has to be', () => {
  for (const length of [158, 159, 160, 161]) {
    const bytes = Buffer.alloc(MEDIA_BYTES_MAX);
    const frame = Uint8Array.from({ length }, (_, i) => i);
    const end = writeMedia(bytes, 0, { track: 'inbound', seq: 1, timestampMs: 0, frame });
    assert.equal(JSON.parse(read(bytes.subarray(0, end)).text).payload, Buffer.from(frame).toString('base64'));
  }
});

test('a century of audio still fits a media message', () => {
  const end = writeMedia(Buffer.alloc(1_000), 0, {
    track: 'outbound',
    seq: Number.MAX_SAFE_INTEGER,
    timestampMs: Number.MAX_SAFE_INTEGER,
    frame: new Uint8Array(160),
  });
  assert.ok(end <= MEDIA_BYTES_MAX);
});

test('a text of any length is one WebSocket message', () => {
  for (const length of [0, 125, 126, 65_535, 65_536]) {
    const { text, rest } = read(textMessage('é'.repeat(Math.floor(length / 2)) + 'x'.repeat(length % 2)));
    assert.equal(Buffer.byteLength(text), length);
    assert.equal(rest.length, 0);
  }
});

test('start names the stream, its call, its tracks and the format', () => {
  const call = { ledgerId: 1, callId: 'call_1' };
  const stream = { streamId: 'stm_1', call, direction: 'fork', track: 'both' } as const;
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

  test('is understood', () => {
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
    test(`is refused with ${what}, in words that fit a close frame`, () => {
      const parsed = parseClientMessage(text);
      assert.ok('malformed' in parsed);
      assert.ok(Buffer.byteLength(parsed.malformed) <= 123);
    });
  }

  test('may hold exactly the longest payload, and none at all', () => {
    const longest = Buffer.alloc(PAYLOAD_MS_MAX * 8).toString('base64');
    assert.ok('event' in parseClientMessage(JSON.stringify({ event: 'media', payload: longest })));
    assert.ok('event' in parseClientMessage('{"event":"media","payload":""}'));
  });
});

test('whatever is encoded is decoded again, and nothing else is accepted', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      assert.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64')), bytes);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (text) => {
      const bytes = decodeBase64(text);
      if (bytes !== undefined) assert.equal(Buffer.from(bytes).toString('base64'), text);
    }),
  );
});
