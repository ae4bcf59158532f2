/**
 * A provider of SIP trunks with telephones behind it, in this process: it answers every call at once, each telephone
 * speaks in a tone of its own, and says which tones it hears.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { decodeMulaw, encodeMulaw } from '../../../src/audio/mulaw.ts';
import type { Pcm } from '../../../src/audio/pcm.ts';
import { sine } from '../../../src/audio/tones.ts';
import { powerAt } from '../../support/tone-power.ts';

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const RTP_HEADER_BYTES = 12;
/** What is heard is judged by the last so many packets. */
const JUDGED = 10;
/** Less than the mean square of hold audio, and more than a tone 50 Hz beside has here. */
const AUDIBLE = 200_000;

/** Returns true if a tone can be heard in mu-law audio. */
export function isHeard(frequencyHz: number, audio: readonly Buffer[]): boolean {
  const recent = audio.slice(-JUDGED);
  return recent.length === JUDGED && powerAt(decodeMulaw(Buffer.concat(recent)), frequencyHz) > AUDIBLE;
}

export class Phone {
  readonly #rtp: Socket;
  readonly #packets: { readonly atMs: number; readonly audio: Buffer }[] = [];
  readonly #timer: NodeJS.Timeout;
  #sequence = 0;
  #nextMs = performance.now();
  /** What it says before it goes on with its tone. */
  #sound: Pcm = new Int16Array(0);
  #onSaid: (() => void) | undefined;
  #engine: { readonly address: string; readonly port: number } | undefined;
  /** What it says; 0 for silence. */
  frequencyHz: number;
  /** True once its call is over. */
  hasEnded = false;

  constructor(rtp: Socket, frequencyHz: number) {
    this.#rtp = rtp;
    this.frequencyHz = frequencyHz;
    rtp.on('message', (packet) => {
      // What is not mu-law is a key.
      if (((packet[1] ?? 0) & 0x7f) !== 0) return;
      this.#packets.push({ atMs: performance.now(), audio: packet.subarray(RTP_HEADER_BYTES) });
      if (this.#packets.length > JUDGED) this.#packets.shift();
    });
    this.#timer = setInterval(() => this.#speak(), FRAME_MS / 2);
  }

  talkTo(engine: { readonly address: string; readonly port: number }): void {
    this.#engine = engine;
    this.#nextMs = performance.now();
  }

  #speak(): void {
    while (this.#engine !== undefined && this.#nextMs <= performance.now()) {
      this.#nextMs += FRAME_MS;
      // The engine measures keys in the sound by its clock, so packets of a sound that are late do not come in a burst.
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

  /** Says a sound in place of its tone. Resolves when all of it is sent. */
  async say(sound: Pcm): Promise<void> {
    this.#sound = sound;
    await new Promise<void>((resolve) => {
      this.#onSaid = resolve;
    });
  }

  /** Sends a packet of an event of RFC 4733. All of one event have the time stamp of its first, which is returned. */
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

  /** True while it hears a tone. It hears nothing while nothing is sent to it. */
  hears(frequencyHz: number): boolean {
    const nowMs = performance.now();
    const recent = this.#packets.filter(({ atMs }) => atMs > nowMs - 2 * JUDGED * FRAME_MS);
    return isHeard(
      frequencyHz,
      recent.map(({ audio }) => audio),
    );
  }

  end(): void {
    this.hasEnded = true;
    clearInterval(this.#timer);
    this.#rtp.close();
  }
}

export type Provider = {
  readonly port: number;
  /** Returns the telephone with a number, which answers the next call to it. */
  phone(number: string, frequencyHz: number): Promise<Phone>;
  close(): void;
};

export async function startProvider(): Promise<Provider> {
  const phones = new Map<string, { readonly phone: Phone; readonly port: number }>();
  const calls = new Map<string, Phone>();
  const sip = await openSocket();

  const answer = (request: string, remote: RemoteInfo) => {
    const [method = '', uri = ''] = request.split(' ', 2);
    if (method === 'SIP/2.0' || method === 'ACK') return;
    const callId = headerOf(request, 'Call-ID');
    const known = phones.get(/^sip:([^@;]+)/.exec(uri)?.[1] ?? '');
    const body = method === 'INVITE' && known !== undefined ? describe(known.port) : '';
    if (method === 'INVITE' && known !== undefined) {
      known.phone.talkTo(readMedia(request));
      calls.set(callId, known.phone);
    }
    if (method === 'BYE') calls.get(callId)?.end();
    const status = method === 'INVITE' && known === undefined ? '404 Not Found' : '200 OK';
    sip.send(replyTo(request, { status, body, port: sip.address().port }), remote.port, remote.address);
  };
  sip.on('message', (message, remote) => answer(String(message), remote));

  return {
    port: sip.address().port,
    phone: async (number, frequencyHz) => {
      const rtp = await openSocket();
      const phone = new Phone(rtp, frequencyHz);
      phones.set(number, { phone, port: rtp.address().port });
      return phone;
    },
    close: () => {
      sip.close();
      for (const { phone } of phones.values()) if (!phone.hasEnded) phone.end();
    },
  };
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

/** Returns all lines of a header. */
function headersOf(request: string, name: string): readonly string[] {
  return request.split('\r\n').filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

function headerOf(request: string, name: string): string {
  return headersOf(request, name)[0] ?? '';
}

function readMedia(request: string) {
  const port = Number(/m=audio (\d+)/.exec(request)?.[1]);
  return { address: /c=IN IP4 (\S+)/.exec(request)?.[1] ?? '', port };
}

function describe(port: number): string {
  const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  return `${[...session, `m=audio ${port} RTP/AVP 0`, 'a=rtpmap:0 PCMU/8000', 'a=sendrecv'].join('\r\n')}\r\n`;
}

type Reply = { readonly status: string; readonly body: string; readonly port: number };

function replyTo(request: string, { status, body, port }: Reply): string {
  const to = headerOf(request, 'To');
  return [
    `SIP/2.0 ${status}`,
    ...headersOf(request, 'Via'),
    headerOf(request, 'From'),
    to.includes('tag=') ? to : `${to};tag=phone`,
    headerOf(request, 'Call-ID'),
    headerOf(request, 'CSeq'),
    `Contact: <sip:phone@127.0.0.1:${port}>`,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
