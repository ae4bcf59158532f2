/** The sounds that engines fetch: WAV, 8 kHz, 16 bits, one channel. */
import { createHmac } from 'node:crypto';
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { concat, type Pcm, samplesOf } from '../../../audio/pcm.ts';
import { beep, holdPattern } from '../../../audio/tones.ts';
import { encodeWav } from '../../../audio/wav.ts';
import type { SipLine } from '../sip-line.ts';
import { findSource, type Playback, type SoundSource } from './playback-queries.ts';

const PATH = /^\/sounds\/([0-9a-f]{32})\.wav$/;

/**
 * The shortest round of hold audio. The engine fetches a file for each round, and the party hears a gap of some
 * milliseconds between rounds.
 */
const ROUND_SAMPLES = samplesOf(60_000);

/** Derives a name from the password of the engines, so that outsiders cannot guess it. */
export function secretName({ settings, connectionId }: SipLine, about: string): string {
  const name = createHmac('sha256', settings.ariPassword).update(`${connectionId} ${about}`).digest('hex');
  return name.slice(0, 32);
}

/**
 * Names a sound by its content. The engine's media cache fetches one sound after the other and keeps the files. So a
 * repeated text and repeated hold audio have the same address, and are fetched once.
 */
export function soundName(line: SipLine, { kind, spoken, audioRef }: SoundSource): string {
  return secretName(line, JSON.stringify(spoken === null ? ['sound', kind, audioRef] : ['text', spoken]));
}

/** How long the engine plays its cached copy of a file. A changed voice takes effect after that. */
export const SOUND_MAX_AGE_S = 3_600;

/** Returns the media address for the engine's request to play a sound. */
export function mediaUri({ settings, connectionId }: SipLine, { sound }: Pick<Playback, 'sound'>): string {
  return `sound:${settings.dialplaneUrl}/carrier/sip/${connectionId}/sounds/${sound}.wav`;
}

/** Returns a sound as a file, by the last part of its address. Returns undefined if no open sound has that name. */
export async function readSound(line: SipLine, path: string): Promise<Uint8Array | undefined> {
  const name = PATH.exec(path)?.[1];
  const source = name === undefined ? undefined : await findSource(line.db, line.connectionId, name);
  return source && encodeWav(await makeSound(line, source));
}

/** Returns the samples of a sound. Throws ModelError if no voice can speak the text. */
export async function makeSound(line: SipLine, { kind, spoken, audioRef }: SoundSource): Promise<Pcm> {
  if (spoken !== null) return await line.synthesizer.synthesize(spoken);
  if (kind === 'beep') return beep();
  const audio = audioRef === null ? undefined : await line.readHoldAudio(audioRef);
  // The audio of a speech is played once.
  if (kind !== 'hold') return decodeMulaw(audio ?? new Uint8Array());
  return makeRound(audio === undefined || audio.length === 0 ? holdPattern() : decodeMulaw(audio));
}

/** Repeats hold audio until it fills a round. */
export function makeRound(pcm: Pcm): Pcm {
  return concat(Array.from({ length: Math.ceil(ROUND_SAMPLES / pcm.length) }, () => pcm));
}
