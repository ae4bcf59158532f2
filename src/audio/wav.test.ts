import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  decodeWav,
  encodeWav,
  pcmFromBytes,
  pcmToBytes,
  WAV_HEADER_BYTES,
  WavError,
  wavBytesOf,
  wavHeader,
} from './wav.ts';

const pcms = fc.int16Array({ maxLength: 500 });

/** A chunk as it stands in a file, the filling byte included. */
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

describe('a file that was made', () => {
  test('reads as the samples it was made of', () => {
    fc.assert(
      fc.property(pcms, (pcm) => {
        const bytes = encodeWav(pcm);
        assert.equal(bytes.length, wavBytesOf(pcm.length));
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

  test('has the header that can be sent before its samples', () => {
    fc.assert(
      fc.property(pcms, (pcm) => {
        assert.deepEqual(Buffer.concat([wavHeader(pcm.length), pcmToBytes(pcm)]), encodeWav(pcm));
      }),
    );
  });

  test('reads whole too when its length was not known at the start', () => {
    const pcm = Int16Array.of(1, 2, 3);
    assert.deepEqual(decodeWav(Buffer.concat([wavHeader(null), pcmToBytes(pcm)])).pcm, pcm);
  });

  test('never claims to be longer than a file can be', () => {
    assert.throws(() => wavHeader(2 ** 31), RangeError);
  });
});

describe('a file of others', () => {
  const samples = pcmToBytes(Int16Array.of(5, -5));

  test('may have other chunks, of odd length too, before its audio and after', () => {
    fc.assert(
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

  test('may begin at an odd address in memory', () => {
    const shifted = Buffer.concat([Buffer.of(0), encodeWav(Int16Array.of(5, -5))]).subarray(1);
    assert.deepEqual(decodeWav(shifted).pcm, Int16Array.of(5, -5));
    assert.deepEqual(pcmFromBytes(Buffer.concat([samples, Buffer.of(7)])), Int16Array.of(5, -5));
  });

  test('is refused when it is stereo, 8-bit, compressed or no WAV file', () => {
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

  test('any bytes are read or refused, and never anything else', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.tuple(fc.nat(WAV_HEADER_BYTES + 8), fc.nat(255)).map(([at, value]) => {
        const bytes = encodeWav(Int16Array.of(1, 2, 3, 4));
        bytes[at] = value;
        return bytes;
      }),
    );
    fc.assert(
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
