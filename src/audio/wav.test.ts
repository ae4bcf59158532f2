import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../test/support/property.ts';
import { decodeWav, encodeWav, WavError } from './wav.ts';

/** A chunk as it is in a file, with its padding byte. */
function chunk(name: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function file(...chunks: Buffer[]): Buffer {
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
}

function format({ tag = 1, channels = 1, rate = 8_000, bits = 16 } = {}): Buffer {
  const content = Buffer.alloc(16);
  content.writeUInt16LE(tag, 0);
  content.writeUInt16LE(channels, 2);
  content.writeUInt32LE(rate, 4);
  content.writeUInt16LE(bits, 14);
  return chunk('fmt ', content);
}

describe('an encoded file', () => {
  test('decodes to the samples it was made of', () => {
    checkProperty(
      fc.property(fc.int16Array({ maxLength: 500 }), (pcm) => {
        const bytes = encodeWav(pcm);
        assert.equal(bytes.length, 44 + 2 * pcm.length);
        assert.deepEqual(decodeWav(bytes), { sampleRateHz: 8_000, pcm });
      }),
    );
  });

  test('is what players expect, byte for byte', () => {
    const expected =
      '524946462800000057415645666d7420' + // RIFF, 40 bytes follow, WAVE, fmt
      '1000000001000100401f0000803e0000' + // 16 bytes: PCM, one channel, 8,000 Hz, 16,000 bytes a second
      '0200100064617461040000000100feff'; // 2 bytes a sample, 16 bits, data, 4 bytes: 1, -2
    assert.equal(encodeWav(Int16Array.of(1, -2)).toString('hex'), expected);
  });

  test('is refused if it would be longer than a file can be', () => {
    assert.throws(() => encodeWav({ length: 2 ** 31 } as Int16Array), RangeError);
  });
});

describe('a file of another program', () => {
  const samples = Buffer.from('0500fbff', 'hex');

  test('may have other chunks, even of odd length, before its audio and after', () => {
    checkProperty(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 3 }), (contents) => {
        const others = contents.map((content) => chunk('LIST', content));
        const bytes = file(...others, format(), ...others, chunk('data', samples), ...others);
        assert.deepEqual(decodeWav(bytes).pcm, Int16Array.of(5, -5));
      }),
    );
  });

  test('keeps its sample rate', () => {
    const bytes = file(format({ rate: 22_050 }), chunk('data', samples));
    assert.equal(decodeWav(bytes).sampleRateHz, 22_050);
  });

  test('is read to its end if its length was not known when it was started', () => {
    const bytes = file(format(), chunk('data', samples));
    for (const at of [4, bytes.indexOf('data') + 4]) bytes.writeUInt32LE(0xffff_ffff, at);
    assert.deepEqual(decodeWav(bytes).pcm, Int16Array.of(5, -5));
  });

  test('may start at an odd address in memory, and have an odd byte at the end of its audio', () => {
    const shifted = Buffer.concat([Buffer.of(0), encodeWav(Int16Array.of(5, -5))]).subarray(1);
    assert.deepEqual(decodeWav(shifted).pcm, Int16Array.of(5, -5));
    const odd = file(format(), chunk('data', Buffer.concat([samples, Buffer.of(7)])));
    assert.deepEqual(decodeWav(odd).pcm, Int16Array.of(5, -5));
  });

  test('is refused if it is stereo, 8-bit, compressed or not a WAV file', () => {
    const refused = [
      file(format({ channels: 2 }), chunk('data', samples)),
      file(format({ bits: 8 }), chunk('data', samples)),
      file(format({ tag: 7 }), chunk('data', samples)),
      file(chunk('data', samples)),
      file(format()),
      Buffer.from('ID3 something else entirely, long enough'),
      Buffer.alloc(0),
    ];
    for (const bytes of refused) assert.throws(() => decodeWav(bytes), WavError);
  });

  test('of any bytes is read, or refused with a WavError', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.tuple(fc.nat(51), fc.nat(255)).map(([at, value]) => {
        const bytes = encodeWav(Int16Array.of(1, 2, 3, 4));
        bytes[at] = value;
        return bytes;
      }),
    );
    checkProperty(
      fc.property(anything, (bytes) => {
        try {
          decodeWav(bytes);
        } catch (error) {
          assert.ok(error instanceof WavError, String(error));
        }
      }),
    );
  });
});
