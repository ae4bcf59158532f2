/** Telephones and providers of the outer world. Each is a baresip. */
import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pcm, SAMPLE_RATE_HZ, samplesOf } from '../../../src/audio/pcm.ts';
import { encodeWav, pcmFromBytes } from '../../../src/audio/wav.ts';
import { until } from '../../support/jobs.ts';
import { powerAt } from '../../support/tone-power.ts';
import { type Jailed, type JailFolder, makeJailFolder, startJailed } from '../jail.ts';
import type { Network } from './network.ts';

const CONTROL_PORT = 4444;
const SIP_PORT = 5060;
/** The lines that baresip prints before each message that it traces: an empty line, and a line with the addresses. */
const TRACED = /#\n(?:UDP|TCP|TLS) .*\n/;
const WAV_HEADER_BYTES = 44;
/** After its audio a telephone is silent for this time, which is longer than any test. */
const SILENCE_S = 120;
/** baresip answers a command within milliseconds, unless the machine stands still. */
const ANSWER_MS = 60_000;
/**
 * The last milliseconds of audio, which decide whether the telephone hears a tone. In this time a tone has more power
 * than a neighbouring tone leaks into it.
 */
const JUDGED_MS = 200;
const AUDIBLE = 200_000;

type PhoneSettings = {
  readonly network: Network;
  /** Its address; by default a new one of the network. */
  readonly host?: string;
  /** The user part of its address. */
  readonly user: string;
  /** The engine where the phone registers and sends its calls, as host:port. */
  readonly engine: string;
  /** With a password, it registers. Without one, the engine identifies it by its address. */
  readonly password?: string;
  readonly transport?: 'udp' | 'tcp' | 'tls';
  /** Encrypted audio, with keys in the SDP. */
  readonly srtp?: boolean;
  readonly answers?: 'at once' | 'by hand';
  /** How the phone sends digits. */
  readonly keys?: 'rfc4733' | 'info';
  /** The audio that it sends in each call, from the start of the call; silence follows. */
  readonly says?: Pcm;
  /** The certificate and its key (PEM) for TLS. */
  readonly certificate?: string;
};

/** An event of baresip's control socket. */
type PhoneEvent = { readonly type: string; readonly param?: string; readonly peeruri?: string };
type Answer = { readonly response: true; readonly ok: boolean; readonly data: string; readonly token: string };

export class Phone {
  readonly host: string;
  readonly #settings: PhoneSettings;
  readonly #folder: JailFolder;
  readonly #program: Jailed;
  readonly #socket: Socket;
  readonly #answers = new Map<string, (answer: Answer) => void>();
  #commands = 0;
  /** Everything that it has reported, in order. */
  readonly events: PhoneEvent[] = [];

  private constructor(settings: PhoneSettings, parts: PhoneParts) {
    this.#settings = settings;
    this.host = parts.host;
    this.#folder = parts.folder;
    this.#program = parts.program;
    this.#socket = parts.socket;
    readNetstrings(parts.socket, (text) => this.#receive(JSON.parse(text) as Answer | PhoneEvent));
  }

  /** Starts one. Resolves when it accepts calls; with a password, when it is also registered. */
  static async start(settings: PhoneSettings): Promise<Phone> {
    const host = settings.host ?? (await settings.network.newHost());
    const folder = makeJailFolder();
    await writeFile(`${folder.outside}/says.wav`, encodeWav(withSilence(settings.says)));
    await writeFile(`${folder.outside}/config`, configOf(settings, { host, folder: folder.inside }));
    await writeFile(`${folder.outside}/sip.pem`, settings.certificate ?? '');
    await writeFile(`${folder.outside}/accounts`, `${accountOf(settings, host)}\n`);
    const program = startJailed('baresip', ['-s', '-f', folder.inside], settings.network.namespace);
    try {
      const socket = await connectWhenUp(host, program);
      const phone = new Phone(settings, { host, folder, program, socket });
      // The phone may have registered before this process received its events.
      const isRegistered = async () => /OK /.test(await phone.#command('reginfo'));
      if (settings.password !== undefined) await until(`${settings.user} is registered`, isRegistered);
      return phone;
    } catch (error) {
      await program.kill();
      folder.remove();
      throw error;
    }
  }

  /** Waits until baresip has printed an INVITE, and returns the last one. Its events arrive earlier than its output. */
  async readInvite(): Promise<string> {
    await until(`${this.#settings.user} has printed an INVITE`, () => this.invite !== '');
    return this.invite;
  }

  /** The last INVITE that it has sent or received, unchanged; empty if that was long ago. */
  get invite(): string {
    return (
      this.#program
        .output()
        .split(TRACED)
        .findLast((message) => message.startsWith('INVITE ')) ?? ''
    );
  }

  /** True during an answered call, while the telephone writes the audio that it receives. */
  get isTalking(): boolean {
    return this.#isInCall && this.#heardBytes() > 0;
  }

  /** True while it rings. */
  get isRinging(): boolean {
    return this.#lastOf('CALL_INCOMING') > Math.max(this.#lastOf('CALL_ESTABLISHED'), this.#lastOf('CALL_CLOSED'));
  }

  /** The keys that it has received, in all its calls. */
  get keys(): string {
    return this.events.map(({ type, param }) => (type === 'CALL_DTMF_START' ? param : '')).join('');
  }

  /** Calls a number or name at the engine. */
  async dial(to: string): Promise<void> {
    const { engine, transport = 'udp' } = this.#settings;
    await this.#command('dial', `sip:${to}@${engine}${transport === 'udp' ? '' : `;transport=${transport}`}`);
  }

  async answer(): Promise<void> {
    await this.#command('accept');
  }

  /** Ends the answered call, refuses the ringing call, or cancels the dialled call. */
  async hangUp(): Promise<void> {
    // baresip 1.1 hangs if a sound ends before the thread that plays it begins.
    await until(`${this.#settings.user} hears its call`, () => !this.#isInCall || this.isTalking);
    await this.#command('hangup');
  }

  /** Presses keys, one after the other. */
  async press(keys: string): Promise<void> {
    for (const key of keys) await this.#command('sndcode', key);
  }

  /** Waits for an event of a type after the first `after` events. Returns the number of events up to it. */
  async waitFor(type: string, after = 0): Promise<number> {
    const find = () => this.events.findIndex((event, index) => index >= after && event.type === type);
    await until(`${this.#settings.user} has ${type}`, () => find() !== -1, 15_000).catch((error: Error) => {
      throw new Error(`${error.message}; it had ${this.#seen()}`);
    });
    return find() + 1;
  }

  /** Waits for the end of its call or its attempt. Returns the reason in baresip's words. */
  async waitForEnd(after = 0): Promise<string> {
    const count = await this.waitFor('CALL_CLOSED', after);
    return this.events[count - 1]?.param ?? '';
  }

  /** Returns the audio that it received in its last call. */
  heard(): Pcm {
    // The header gets its lengths at the end of the call.
    const file = readFileSync(this.#heardFile);
    const bytes = file.subarray(WAV_HEADER_BYTES);
    return pcmFromBytes(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  }

  /** True if the audio of the last fifth of a second contains a tone. */
  hears(frequencyHz: number): boolean {
    if (!this.isTalking) return false;
    const recent = this.heard().subarray(-samplesOf(JUDGED_MS));
    return recent.length === samplesOf(JUDGED_MS) && powerAt(recent, frequencyHz) > AUDIBLE;
  }

  async close(): Promise<void> {
    this.#socket.destroy();
    await this.#program.kill();
    this.#folder.remove();
  }

  /** Its reports and output, for messages. */
  #seen(): string {
    return `${this.events.map(({ type }) => type).join(' ')}\n${this.#program.output().slice(-2_000)}`;
  }

  get #isInCall(): boolean {
    return this.#lastOf('CALL_ESTABLISHED') > this.#lastOf('CALL_CLOSED');
  }

  /** The length of the audio of its last call. baresip writes the audio a quarter of a second at a time. */
  #heardBytes(): number {
    const { size } = statSync(this.#heardFile, { throwIfNoEntry: false }) ?? { size: 0 };
    return Math.max(0, size - WAV_HEADER_BYTES);
  }

  get #heardFile(): string {
    return `${this.#folder.outside}/heard.wav`;
  }

  #lastOf(type: string): number {
    return this.events.findLastIndex((event) => event.type === type);
  }

  async #command(command: string, params = ''): Promise<string> {
    const token = String(++this.#commands);
    const text = JSON.stringify({ command, params, token });
    const answered = new Promise<Answer>((resolve) => this.#answers.set(token, resolve));
    this.#socket.write(`${Buffer.byteLength(text)}:${text},`);
    const found = await Promise.race([answered, sleep(ANSWER_MS, undefined, { ref: false })]);
    if (found === undefined) throw new Error(`${this.#settings.user} did not answer to ${command}: ${this.#seen()}`);
    const { ok, data } = found;
    if (!ok) throw new Error(`${this.#settings.user} cannot ${command} ${params}: ${data}`);
    return data;
  }

  #receive(message: Answer | PhoneEvent): void {
    if ('response' in message) this.#answers.get(message.token)?.(message);
    else this.events.push(message);
  }
}

type PhoneParts = {
  readonly host: string;
  readonly folder: JailFolder;
  readonly program: Jailed;
  readonly socket: Socket;
};

function withSilence(pcm: Pcm = new Int16Array(0)): Pcm {
  const all = new Int16Array(pcm.length + SILENCE_S * SAMPLE_RATE_HZ);
  all.set(pcm);
  return all;
}

function configOf({ certificate }: PhoneSettings, { host, folder }: { host: string; folder: string }): string {
  const certificates = certificate === undefined ? [] : [`sip_certificate ${folder}/sip.pem`];
  return [
    ...['poll_method epoll', `sip_listen ${host}:${SIP_PORT}`, ...certificates],
    ...[`audio_player aufile,${folder}/heard.wav`, `audio_source aufile,${folder}/says.wav`],
    // Its folder has no tones, so it does not ring: baresip 1.1 hangs if a sound ends before its thread begins.
    `audio_path ${folder}`,
    ...['ausrc_srate 8000', 'auplay_srate 8000', 'ausrc_channels 1', 'auplay_channels 1'],
    'module_path /usr/lib/baresip/modules',
    ...['module g711.so', 'module aufile.so', 'module srtp.so'],
    ...['module_app account.so', 'module_app menu.so', 'module_app ctrl_tcp.so'],
    `ctrl_tcp_listen ${host}:${CONTROL_PORT}`,
    '',
  ].join('\n');
}

function accountOf(settings: PhoneSettings, host: string): string {
  const { user, engine, password, transport = 'udp', srtp = false, answers = 'by hand', keys = 'rfc4733' } = settings;
  const domain = password === undefined ? host : engine;
  return [
    `<sip:${user}@${domain}${transport === 'udp' ? '' : `;transport=${transport}`}>`,
    'audio_codecs=pcmu',
    `answermode=${answers === 'at once' ? 'auto' : 'manual'}`,
    `dtmfmode=${keys === 'info' ? 'info' : 'rtpevent'}`,
    ...(srtp ? ['mediaenc=srtp-mand'] : []),
    // baresip accepts calls only for a name that registers. A provider's baresip registers at itself, and is refused.
    ...(password === undefined ? ['regint=3600'] : ['regint=60', `auth_user=${user}`, `auth_pass=${password}`]),
  ].join(';');
}

async function connectWhenUp(host: string, program: Jailed): Promise<Socket> {
  let hasEnded = false;
  program.process.once('exit', () => {
    hasEnded = true;
  });
  let socket: Socket | undefined;
  const attempt = () =>
    new Promise<boolean>((resolve) => {
      const opened = connect(CONTROL_PORT, host);
      opened.once('connect', () => {
        socket = opened;
        resolve(true);
      });
      opened.once('error', () => resolve(false));
    });
  await until('the telephone is up, or has ended', async () => hasEnded || (await attempt()), 15_000);
  if (socket === undefined) throw new Error(`a telephone ended at its start:\n${program.output()}`);
  return socket;
}

/** Calls `receive` with each netstring ("5:hello,") of a socket. */
function readNetstrings(socket: Socket, receive: (text: string) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (let colon = rest.indexOf(':'); colon !== -1; colon = rest.indexOf(':')) {
      const end = colon + 1 + Number(rest.toString('latin1', 0, colon));
      if (rest.length <= end) return;
      const text = rest.toString('utf8', colon + 1, end);
      rest = rest.subarray(end + 1);
      receive(text);
    }
  });
}
