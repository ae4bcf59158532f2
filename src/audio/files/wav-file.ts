import { decodeMulaw } from '../mulaw.ts';
import { readWav, WAV_FORMAT, type WavAudio, WavError } from '../wav.ts';
import { AudioFileError, type MonoAudio } from './mono-audio.ts';

/** Reads the sample at a byte as 16 bits. */
type ReadSample = (content: Buffer, at: number) => number;

/** The readers by format tag and bits per sample. Samples of 8 bits have no sign. */
const READERS: Readonly<Record<string, ReadSample>> = {
  [`${WAV_FORMAT.pcm}/8`]: (content, at) => ((content[at] as number) - 128) << 8,
  [`${WAV_FORMAT.pcm}/16`]: (content, at) => content.readInt16LE(at),
  [`${WAV_FORMAT.pcm}/24`]: (content, at) => content.readInt16LE(at + 1),
  [`${WAV_FORMAT.mulaw}/8`]: (content, at) => MULAW[content[at] as number] as number,
};

const MULAW = decodeMulaw(Uint8Array.from({ length: 256 }, (_, code) => code));

export function isWavFile(file: Uint8Array): boolean {
  const text = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 12)).toString('latin1');
  return text.startsWith('RIFF') && text.endsWith('WAVE');
}

/**
 * Reads the first seconds of a WAV file: PCM of 8, 16 or 24 bits or mu-law, with one or two channels.
 * @throws AudioFileError for another file
 */
export function readWavFile(file: Uint8Array, secondsMax: number): MonoAudio {
  const { format, channels, bits, sampleRateHz, content } = parse(file);
  const read = READERS[`${format}/${bits}`];
  if (read === undefined || channels < 1 || channels > 2) {
    const found = `format ${format} with ${channels} channels of ${bits} bits`;
    throw new AudioFileError(
      `The WAV file has ${found}. It must be PCM of 8, 16 or 24 bits or mu-law, with one or two channels.`,
    );
  }
  const bytes = bits / 8;
  const frames = Math.min(Math.floor(content.length / (bytes * channels)), sampleRateHz * secondsMax);
  const samples = new Int16Array(frames);
  for (let n = 0; n < frames; n++) {
    const at = n * bytes * channels;
    samples[n] = channels === 1 ? read(content, at) : (read(content, at) + read(content, at + bytes)) >> 1;
  }
  return { sampleRateHz, samples };
}

function parse(file: Uint8Array): WavAudio {
  try {
    return readWav(file);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    throw new AudioFileError(`The WAV file cannot be read: ${error.message}.`);
  }
}
