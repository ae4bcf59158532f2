/**
 * RIFF WAVE files of linear PCM, 16 bits, one channel (Microsoft's "Multimedia Programming Interface and Data
 * Specifications 1.0", and RFC 2361 for the format tag). All numbers in the file are little-endian.
 */
import { type Pcm, SAMPLE_RATE_HZ } from './pcm.ts';

/** Bytes before the first sample of a file of `encodeWav`. */
const WAV_HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
export const WAV_CONTENT_TYPE = 'audio/wav';

const FORMAT_CHUNK_BYTES = 16;
/** Format tags of RFC 2361. */
export const WAV_FORMAT = { pcm: 1, mulaw: 7 } as const;
/** The sub-format, whose first two bytes are the format tag, follows other fields (WAVEFORMATEXTENSIBLE). */
const FORMAT_EXTENSIBLE = 0xfffe;
const SUB_FORMAT_AT = 24;
const RIFF_PREFIX_BYTES = 8;
const SAMPLES_MAX = Math.floor((0xffff_ffff - WAV_HEADER_BYTES) / BYTES_PER_SAMPLE);

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The bytes are not a WAV file, or a WAV file of an unsupported format. */
export class WavError extends Error {
  override readonly name = 'WavError';
}

function headerOf(samples: number): Buffer {
  if (samples > SAMPLES_MAX) throw new RangeError(`${samples} samples do not fit in a WAV file`);
  const audioBytes = samples * BYTES_PER_SAMPLE;
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(WAV_HEADER_BYTES - RIFF_PREFIX_BYTES + audioBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(FORMAT_CHUNK_BYTES, 16);
  header.writeUInt16LE(WAV_FORMAT.pcm, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(audioBytes, 40);
  return header;
}

/** Returns samples as the bytes of a file, as a copy. */
function pcmToBytes(pcm: Pcm): Buffer {
  const bytes = Buffer.from(pcm.slice().buffer);
  return IS_LITTLE_ENDIAN ? bytes : bytes.swap16();
}

/** Returns the samples in bytes of 16 bits, little-endian, as a copy. An odd byte at the end is dropped. */
export function pcmFromBytes(bytes: Uint8Array): Pcm {
  const samples = Math.floor(bytes.length / BYTES_PER_SAMPLE);
  // Copied, because an Int16Array needs an even address and the bytes of a file may have an odd one.
  const copied = Uint8Array.from(bytes.subarray(0, samples * BYTES_PER_SAMPLE));
  if (!IS_LITTLE_ENDIAN) Buffer.from(copied.buffer).swap16();
  return new Int16Array(copied.buffer);
}

/**
 * Returns audio as a file: 8 kHz, 16 bits, one channel.
 * @throws RangeError if the audio is longer than a file can be
 */
export function encodeWav(pcm: Pcm): Buffer {
  return Buffer.concat([headerOf(pcm.length), pcmToBytes(pcm)]);
}

/**
 * Reads a file of 16-bit PCM with one channel, of any sample rate.
 * @throws WavError if it is not such a file
 */
export function decodeWav(file: Uint8Array): { sampleRateHz: number; pcm: Int16Array } {
  const { format, channels, bits, sampleRateHz, content } = readWav(file);
  if (format !== WAV_FORMAT.pcm || channels !== 1 || bits !== BYTES_PER_SAMPLE * 8) {
    throw new WavError(`format ${format} with ${channels} channels of ${bits} bits is not 16-bit PCM with one channel`);
  }
  return { sampleRateHz, pcm: pcmFromBytes(content) };
}

/** The format of a file, and its audio as it is in the file. */
export type WavAudio = {
  /** Format tag. In a file of the extensible format this is the tag of its sub-format. */
  readonly format: number;
  readonly channels: number;
  /** Bits of a sample of one channel. */
  readonly bits: number;
  readonly sampleRateHz: number;
  readonly content: Buffer;
};

/**
 * Reads a file of any format. Other chunks are skipped. A length beyond the end of the bytes means "to the end":
 * programs that stream their output write it.
 * @throws WavError if it is not a WAV file with audio
 */
export function readWav(file: Uint8Array): WavAudio {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
    throw new WavError('not a WAV file');
  }
  let format: Omit<WavAudio, 'content'> | undefined;
  for (const { name, content } of chunksOf(bytes)) {
    if (name === 'fmt ') format = readFormat(content);
    if (name !== 'data') continue;
    if (format === undefined) throw new WavError('the audio comes before its format');
    return { ...format, content };
  }
  throw new WavError('there is no audio in the file');
}

function* chunksOf(bytes: Buffer): Generator<{ name: string; content: Buffer }> {
  let at = 12;
  while (at + RIFF_PREFIX_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    const start = at + RIFF_PREFIX_BYTES;
    yield { name: bytes.toString('latin1', at, at + 4), content: bytes.subarray(start, start + length) };
    // Chunks start at even positions; the padding byte is not in the length.
    at = start + length + (length % 2);
  }
}

function readFormat(content: Buffer): Omit<WavAudio, 'content'> {
  if (content.length < FORMAT_CHUNK_BYTES) throw new WavError('the format is cut short');
  const tag = content.readUInt16LE(0);
  const isExtended = tag === FORMAT_EXTENSIBLE && content.length >= SUB_FORMAT_AT + 2;
  return {
    format: isExtended ? content.readUInt16LE(SUB_FORMAT_AT) : tag,
    channels: content.readUInt16LE(2),
    sampleRateHz: content.readUInt32LE(4),
    bits: content.readUInt16LE(14),
  };
}
