/**
 * The audio of one party of a call, in this process. It sends a tone or a sound, sends keys, and reports the tones that
 * it hears.
 */
import type { Socket } from 'node:dgram';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw.ts';
import type { Pcm } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { powerAt, powerOf } from '../support/tone-power.ts';

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const RTP_HEADER_BYTES = 12;
/** The number of last packets that decide whether a tone is heard. */
const JUDGED = 10;
const STEP = 2;
/** Older audio does not count as heard. */
const LATELY_MS = 2 * JUDGED * FRAME_MS;
/** Less than the mean square of hold audio, and more than the measured power of a tone 50 Hz away. */
const AUDIBLE = 200_000;

/** Returns true if a tone can be heard at the end of mu-law audio. */
export function isHeard(frequencyHz: number, audio: readonly Buffer[]): boolean {
  const recent = audio.slice(-JUDGED);
  return recent.length === JUDGED && powerAt(decodeMulaw(Buffer.concat(recent)), frequencyHz) > AUDIBLE;
}

/** Returns true if mu-law audio contains a tone for JUDGED frames, at any position. */
export function wasHeard(frequencyHz: number, audio: readonly Buffer[]): boolean {
  const ends = Array.from({ length: Math.ceil((audio.length - JUDGED + 1) / STEP) }, (_, at) => JUDGED + at * STEP);
  return ends.some((end) => isHeard(frequencyHz, audio.slice(end - JUDGED, end)));
}

export class RtpPhone {
  readonly #rtp: Socket;
  readonly #packets: { readonly atMs: number; readonly audio: Buffer }[] = [];
  readonly #timer: NodeJS.Timeout;
  #sequence = 0;
  #nextMs = performance.now();
  /** The sound that it sends now. After it, the tone continues. */
  #sound: Pcm = new Int16Array(0);
  #onSaid: (() => void) | undefined;
  #engine: { readonly address: string; readonly port: number } | undefined;
  /** The tone that the telephone sends; 0 for silence. */
  frequencyHz: number;
  /** True once its call is over. */
  hasEnded = false;

  constructor(rtp: Socket, frequencyHz: number) {
    this.#rtp = rtp;
    this.frequencyHz = frequencyHz;
    rtp.on('message', (packet) => {
      // Any packet that is not mu-law is a digit.
      if (((packet[1] ?? 0) & 0x7f) !== 0) return;
      this.#packets.push({ atMs: performance.now(), audio: packet.subarray(RTP_HEADER_BYTES) });
    });
    this.#timer = setInterval(() => this.#speak(), FRAME_MS / 2);
  }

  /** The number of audio packets received. */
  get gotCount(): number {
    return this.#packets.length;
  }

  /** The number of audio packets sent. */
  get sentCount(): number {
    return this.#sequence;
  }

  talkTo(engine: { readonly address: string; readonly port: number }): void {
    this.#engine = engine;
    this.#nextMs = performance.now();
  }

  #speak(): void {
    while (this.#engine !== undefined && this.#nextMs <= performance.now()) {
      this.#nextMs += FRAME_MS;
      // The engine measures keys in the audio by its own clock, so late packets of a sound must not come in a burst.
      if (this.#sound.length > 0) this.#nextMs = Math.max(this.#nextMs, performance.now() - FRAME_MS);
      const from = this.#sequence * FRAME_SAMPLES;
      const packet = Buffer.alloc(RTP_HEADER_BYTES);
      packet[0] = 0x80;
      packet.writeUInt16BE(this.#sequence++ & 0xffff, 2);
      packet.writeUInt32BE(from, 4);
      this.#rtp.send(Buffer.concat([packet, encodeMulaw(this.#next(from))]), this.#engine.port, this.#engine.address);
    }
  }

  #next(from: number): Pcm {
    const { frequencyHz } = this;
    const pcm = new Int16Array(FRAME_SAMPLES);
    if (this.#sound.length === 0) return frequencyHz === 0 ? pcm : sine({ frequencyHz, samples: FRAME_SAMPLES, from });
    pcm.set(this.#sound.subarray(0, FRAME_SAMPLES));
    this.#sound = this.#sound.subarray(FRAME_SAMPLES);
    if (this.#sound.length === 0) this.#onSaid?.();
    return pcm;
  }

  /** Sends a sound in place of its tone. Resolves when all of it is sent. */
  async say(sound: Pcm): Promise<void> {
    this.#sound = sound;
    await new Promise<void>((resolve) => {
      this.#onSaid = resolve;
    });
  }

  /** Sends a packet of an event (RFC 4733). Returns the time stamp, which all packets of the event share. */
  sendEvent(payloadType: number, payload: Buffer, since?: number): number {
    const timestamp = since ?? this.#sequence * FRAME_SAMPLES;
    if (this.#engine === undefined || this.hasEnded) return timestamp;
    const header = Buffer.alloc(RTP_HEADER_BYTES);
    header[0] = 0x80;
    header[1] = payloadType | (since === undefined ? 0x80 : 0);
    header.writeUInt16BE(this.#sequence++ & 0xffff, 2);
    header.writeUInt32BE(timestamp, 4);
    this.#rtp.send(Buffer.concat([header, payload]), this.#engine.port, this.#engine.address);
    return timestamp;
  }

  /** True while it hears a tone. While it receives nothing, it hears nothing. */
  hears(frequencyHz: number): boolean {
    const nowMs = performance.now();
    const recent = this.#packets.slice(-JUDGED).filter(({ atMs }) => atMs > nowMs - LATELY_MS);
    return isHeard(
      frequencyHz,
      recent.map(({ audio }) => audio),
    );
  }

  /** True if it received a tone after this many packets. With this, a test finds a short sound that is already over. */
  hasHeard(frequencyHz: number, after = 0): boolean {
    return wasHeard(
      frequencyHz,
      this.#packets.slice(after).map(({ audio }) => audio),
    );
  }

  /** Returns when it received the first loud packet after this many packets; undefined if there was none. */
  loudFromMs(after: number): number | undefined {
    return this.#packets.slice(after).find(({ audio }) => powerOf(decodeMulaw(audio)) > AUDIBLE)?.atMs;
  }

  end(): void {
    this.hasEnded = true;
    clearInterval(this.#timer);
    this.#rtp.close();
  }
}
