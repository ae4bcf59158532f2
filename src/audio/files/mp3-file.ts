import { MPEGDecoder } from 'mpg123-decoder';
import { saturate } from '../pcm.ts';
import { AudioFileError, type MonoAudio } from './mono-audio.ts';

/** Bytes that are decoded at a time. At the lowest bit rate they last about 65 s. */
const PART_BYTES = 65_536;
const FULL_SCALE = 32_767;

const ID3 = 'ID3';

/** Reports whether the file begins with an ID3 tag (ID3v2) or with the header of a frame of layer III (ISO 11172-3). */
export function isMp3File(file: Uint8Array): boolean {
  const [first = 0, second = 0] = file;
  if (Buffer.from(file.subarray(0, ID3.length)).toString('latin1') === ID3) return true;
  return first === 0xff && (second & 0xe6) === 0xe2;
}

/**
 * Reads the first seconds of an MP3 file. Leaves out the audio after an error in the file.
 * @throws AudioFileError if there is no audio before the error
 */
export async function readMp3File(file: Uint8Array, secondsMax: number): Promise<MonoAudio> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const parts: Int16Array[] = [];
  let sampleRateHz = 0;
  let length = 0;
  for (let at = 0; at < file.length && (length === 0 || length < sampleRateHz * secondsMax); at += PART_BYTES) {
    const decoded = decode(decoder, file.subarray(at, at + PART_BYTES));
    if (decoded === undefined || (length > 0 && decoded.samples.length > 0 && decoded.sampleRateHz !== sampleRateHz))
      break;
    if (decoded.samples.length > 0) sampleRateHz = decoded.sampleRateHz;
    parts.push(decoded.samples);
    length += decoded.samples.length;
  }
  if (length === 0) throw new AudioFileError('The MP3 file has no audio that can be decoded.');
  const samples = new Int16Array(Math.min(length, sampleRateHz * secondsMax));
  let at = 0;
  for (const part of parts) {
    samples.set(part.subarray(0, samples.length - at), at);
    at = Math.min(at + part.length, samples.length);
  }
  return { sampleRateHz, samples };
}

/** Decodes the next part. Returns undefined after an error of the decoder, which `stopAtErrors` throws. */
function decode(decoder: MPEGDecoder, part: Uint8Array): MonoAudio | undefined {
  let decoded: ReturnType<MPEGDecoder['decode']>;
  try {
    decoded = decoder.decode(part);
  } catch {
    return undefined;
  }
  const [left = new Float32Array(), right = left] = decoded.channelData;
  const samples = new Int16Array(decoded.samplesDecoded);
  for (let n = 0; n < samples.length; n++) {
    samples[n] = saturate((((left[n] as number) + (right[n] as number)) / 2) * FULL_SCALE);
  }
  return { sampleRateHz: decoded.sampleRate, samples };
}
