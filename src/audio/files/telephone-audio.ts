/** Converts audio files to the audio of a phone line. Runs in a thread: a file of ten megabytes takes seconds. */
import { encodeMulaw } from '../mulaw.ts';
import { resample } from '../resample.ts';
import { AudioFileError, type MonoAudio } from './mono-audio.ts';
import { isMp3File, readMp3File } from './mp3-file.ts';
import { isWavFile, readWavFile } from './wav-file.ts';

/** Seconds of a file that are kept. */
const SECONDS_MAX = 300;

/** 20 dB below full scale, as loud as speech on a phone line. Louder audio is attenuated; none is amplified. */
const RMS_MAX = 3_277;

/**
 * Returns the first five minutes of a WAV or MP3 file as mu-law, 8 kHz, one channel.
 * @throws AudioFileError if the file is neither or has no audio
 */
export async function toTelephoneAudio(file: Uint8Array): Promise<Uint8Array> {
  const { samples, sampleRateHz } = await read(file);
  if (samples.length === 0) throw new AudioFileError('The file has no audio.');
  attenuate(samples);
  try {
    return encodeMulaw(resample(samples, sampleRateHz));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AudioFileError(`The file has ${sampleRateHz} samples a second. It may have 4,000 to 192,000.`);
  }
}

async function read(file: Uint8Array): Promise<MonoAudio> {
  if (isWavFile(file)) return readWavFile(file, SECONDS_MAX);
  if (isMp3File(file)) return await readMp3File(file, SECONDS_MAX);
  throw new AudioFileError('The file is neither WAV nor MP3.');
}

/** Makes loud audio as loud as speech, in place. */
function attenuate(samples: Int16Array): void {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const gain = RMS_MAX / Math.sqrt(sum / samples.length);
  if (gain >= 1) return;
  for (let n = 0; n < samples.length; n++) samples[n] = Math.round((samples[n] as number) * gain);
}
