/**
 * A provider of SIP trunks with people, in this process. They answer, call in, speak in a tone, press keys and hang up
 * when the test says so.
 */
import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { dtmf } from '../../src/audio/tones.ts';
import { RtpPhone } from './rtp-phone.ts';
import {
  type Direction,
  describeSession,
  headerOf,
  headersOf,
  readMedia,
  TELEPHONE_EVENT,
  targetOf,
  withBody,
} from './sip-text.ts';

/** The behavior of a person who is called. */
type Habit = {
  /** Milliseconds of ringing; null for a person who answers only by `answer`. */
  readonly answersAfterMs: number | null;
  /** The SIP status of a refusal; 0 for no reply at all. */
  readonly refusesWith?: number;
  /** The words after the status of a refusal. */
  readonly refusesSaying?: string;
  /** The number in the header Contact of a refusal with 3xx (RFC 3261, 21.3). */
  readonly movedTo?: string;
  /** True to play a tone before the answer too (183 with a session), in place of ringing (180). */
  readonly early?: boolean;
  /** The tone that the person speaks in; 0 for silence. */
  readonly frequencyHz: number;
  /** The display name of the person's telephone in the header From. */
  readonly name?: string;
};

export type People = {
  readonly port: number;
  /** Sets the behavior of the person with a number (E.164). Others answer after 200 ms and send 440 Hz. */
  set(number: string, habit: Partial<Habit>): void;
  /** Calls a number of the engine. */
  callIn(from: string, to: string, enginePort: number, headers?: readonly string[]): Promise<void>;
  /** True while a person's telephone rings, and during the call after that. */
  rings(number: string): boolean;
  /** Lets a person with a ringing telephone answer. */
  answer(number: string): void;
  /** Presses a key on a person's call, by default with RFC 4733. Resolves when the key is released. */
  press(number: string, key: string, way?: KeyWay): Promise<void>;
  /**
   * Changes the direction of the audio of an answered call, by an INVITE within the call (RFC 3264, 8). Resolves when
   * the engine has agreed.
   */
  reinvite(number: string, direction: Direction): Promise<void>;
  /** Ends a person's call: by BYE, or by CANCEL while it rings. */
  hangUp(number: string): void;
  /** Returns how many times a person was called. */
  countCalls(number: string): number;
  /** Returns how many times a person has answered. */
  countAnswers(number: string): number;
  /** Returns the status of the engine's refusal of a person's last call. */
  refusalOf(number: string): number | undefined;
  /** Returns the numbers of the people on calls. */
  listTalkers(): readonly string[];
  /** Returns the time when a person on a call answered, in milliseconds since the epoch. */
  answeredAtMs(number: string): number;
  /** Returns the INVITE of a person's call. */
  inviteOf(number: string): string;
  /** Returns the telephone of a person on a call. */
  phoneOf(number: string): RtpPhone;
  close(): void;
};

/** Called at the first call to the number of a person, and when a call that the person makes is answered. */
type Note = (moment: 'called' | 'answered', number: string) => void;

/** How a key is sent: in RTP (RFC 4733), in a SIP request, or as a tone in the audio. */
export type KeyWay = 'rfc4733' | 'info' | 'inband';

type Dialog = {
  readonly number: string;
  readonly callId: string;
  readonly remote: RemoteInfo | { readonly address: string; readonly port: number };
  readonly branch: string;
  /** The number of the last request within the dialog. */
  cseq: number;
  /** The number of the last INVITE. */
  inviteCseq: number;
  isCaller: boolean;
  local: string;
  peer: string;
  /** The target address of requests. */
  target: string;
  invite: string;
  isUp: boolean;
  answeredAtMs: number;
  /** True once its CANCEL is sent. The answer may already be on its way. */
  isCancelled: boolean;
  /** Receives the status of the reply to an INVITE within the call. */
  onAgreed?: (status: number) => void;
  /** Answers a ringing call. */
  answer?: () => void;
  phone: RtpPhone;
  rtp: Socket;
  timer?: NodeJS.Timeout;
};

const KEYS = '0123456789*#ABCD';
const USUAL: Habit = { answersAfterMs: 200, frequencyHz: 440 };

/**
 * Starts a provider. Its SIP is at `host`, a loopback address that identifies the trunk to the engine. `note` is called
 * at each step of its calls.
 */
export async function startPeople(host = '127.0.0.1', note: Note = () => undefined): Promise<People> {
  const sip = await openSocket(host);
  const habits = new Map<string, Partial<Habit>>();
  const dialogs = new Map<string, Dialog>();
  const calls = new Map<string, number>();
  const answers = new Map<string, number>();
  const refusals = new Map<string, number>();
  /** The transactions of INVITEs. The engine repeats an INVITE until it gets a reply (RFC 3261, 17.1.1.2). */
  const begun = new Set<string>();
  /** Calls that were cancelled before their dialog existed. */
  const cancelled = new Set<string>();
  const { port } = sip.address();
  let count = 0;
  const send = (text: string, { address, port: to }: { address: string; port: number }) => sip.send(text, to, address);
  const contact = (number: string) => `Contact: <sip:${number}@${host}:${port}>`;

  const end = (dialog: Dialog) => {
    clearTimeout(dialog.timer);
    dialogs.delete(dialog.callId);
    if (!dialog.phone.hasEnded) dialog.phone.end();
  };
  const request = (
    dialog: Dialog,
    method: string,
    { more = [], type = 'application/sdp', body = '' }: Content = {},
  ) => {
    const isFirst = !dialog.isUp && (method === 'INVITE' || method === 'CANCEL');
    const branch = isFirst ? dialog.branch : `z9hG4bK-${port}-${++count}`;
    if (method === 'INVITE' && dialog.isUp) dialog.inviteCseq = dialog.cseq + 1;
    const cseq = isFirst || method === 'ACK' ? dialog.inviteCseq : ++dialog.cseq;
    const lines = [
      `${method} ${dialog.target} SIP/2.0`,
      `Via: SIP/2.0/UDP ${host}:${port};branch=${branch};rport`,
      'Max-Forwards: 70',
      `From: ${dialog.local}`,
      `To: ${dialog.peer}`,
      `Call-ID: ${dialog.callId}`,
      `CSeq: ${cseq} ${method}`,
      contact(dialog.number),
      ...more,
    ];
    send(withBody(lines, type, body), dialog.remote);
  };
  const reply = (invite: string, remote: RemoteInfo, { status, tag, body = '', number = 'phone' }: Reply) => {
    const to = headerOf(invite, 'To');
    const lines = [
      `SIP/2.0 ${status}`,
      ...headersOf(invite, 'Via'),
      `From: ${headerOf(invite, 'From')}`,
      `To: ${to.includes('tag=') ? to : `${to};tag=${tag}`}`,
      `Call-ID: ${headerOf(invite, 'Call-ID')}`,
      `CSeq: ${headerOf(invite, 'CSeq')}`,
      contact(number),
    ];
    send(withBody(lines, 'application/sdp', body), remote);
  };

  const ring = async (text: string, remote: RemoteInfo) => {
    const [transaction = ''] = headersOf(text, 'Via');
    if (begun.has(transaction)) return;
    begun.add(transaction);
    const callId = headerOf(text, 'Call-ID');
    const known = dialogs.get(callId);
    // This INVITE changes the session.
    if (known?.isUp)
      reply(text, remote, { status: '200 OK', tag: 'x', body: describeSession(known.rtp.address().port) });
    if (known !== undefined) return;
    const number = /^INVITE sip:([^@;]+)/.exec(text)?.[1] ?? '';
    note('called', number);
    calls.set(number, (calls.get(number) ?? 0) + 1);
    const habit = { ...USUAL, ...habits.get(number) };
    const tag = `t${++count}`;
    if (habit.refusesWith === 0) return;
    const rtp = await openSocket();
    if (cancelled.has(callId)) {
      rtp.close();
      return reply(text, remote, { status: '487 Request Terminated', tag });
    }
    const phone = new RtpPhone(rtp, habit.frequencyHz);
    const dialog: Dialog = {
      ...UNANSWERED,
      ...{
        number,
        callId,
        remote,
        branch: '',
        isCaller: false,
        cseq: 1,
        inviteCseq: 1,
        invite: text,
        phone,
        rtp,
      },
      ...{ local: `${headerOf(text, 'To')};tag=${tag}`, peer: headerOf(text, 'From') },
      target: targetOf(text) ?? '',
    };
    dialogs.set(callId, dialog);
    if (habit.refusesWith !== undefined) {
      const status = `${habit.refusesWith} ${habit.refusesSaying ?? 'No'}`;
      reply(text, remote, { status, tag, number: habit.movedTo ?? number });
      return end(dialog);
    }
    const speak = (status: string) => {
      phone.talkTo(readMedia(text));
      reply(text, remote, { status, tag, number, body: describeSession(rtp.address().port) });
    };
    if (habit.early === true) speak('183 Session Progress');
    else reply(text, remote, { status: '180 Ringing', tag, number });
    dialog.answer = () => {
      clearTimeout(dialog.timer);
      setUp(dialog);
      answers.set(number, (answers.get(number) ?? 0) + 1);
      speak('200 OK');
    };
    if (habit.answersAfterMs !== null) dialog.timer = setTimeout(dialog.answer, habit.answersAfterMs);
  };

  /** Ends a call, or cancels it while it rings. If the answer still comes, ends the answered call. */
  const hangUp = (dialog: Dialog) => {
    request(dialog, dialog.isUp ? 'BYE' : 'CANCEL');
    if (dialog.isUp) end(dialog);
    dialog.isCancelled = true;
  };

  const takeReply = (text: string) => {
    const dialog = dialogs.get(headerOf(text, 'Call-ID'));
    const status = Number(text.split(' ', 2)[1]);
    // The answer to an earlier INVITE is repeated. It was already acknowledged, so it is ignored.
    if (dialog === undefined || headerOf(text, 'CSeq') !== `${dialog.inviteCseq} INVITE` || status < 200) return;
    dialog.peer = headerOf(text, 'To');
    const found = targetOf(text);
    if (status < 300 && found !== undefined) dialog.target = found;
    request(dialog, 'ACK');
    if (dialog.isUp) return dialog.onAgreed?.(status);
    if (status >= 300) {
      refusals.set(dialog.number, status);
      return end(dialog);
    }
    setUp(dialog);
    if (dialog.isCancelled) return hangUp(dialog);
    note('answered', dialog.number);
    dialog.phone.talkTo(readMedia(text));
  };

  sip.on('message', (message, remote) => {
    const text = String(message);
    const method = text.split(' ', 1)[0];
    if (method === 'SIP/2.0') return takeReply(text);
    if (method === 'INVITE') return void ring(text, remote);
    if (method === 'ACK') return;
    const dialog = dialogs.get(headerOf(text, 'Call-ID'));
    reply(text, remote, { status: '200 OK', tag: 'x' });
    if (dialog === undefined) {
      if (method === 'CANCEL') cancelled.add(headerOf(text, 'Call-ID'));
      return;
    }
    if (method === 'CANCEL') {
      const tag = /tag=(\w+)/.exec(dialog.local)?.[1] ?? '';
      reply(dialog.invite, remote, { status: '487 Request Terminated', tag });
    }
    if (method === 'CANCEL' || method === 'BYE') end(dialog);
  });
  const dialogOf = (number: string) => {
    const found = [...dialogs.values()].find((dialog) => dialog.number === number);
    return found ?? assert.fail(`${number} is on no call`);
  };
  return {
    port,
    set: (number, habit) => habits.set(number, habit),
    callIn: async (from, to, enginePort, headers = []) => {
      const rtp = await openSocket();
      const phone = new RtpPhone(rtp, { ...USUAL, ...habits.get(from) }.frequencyHz);
      const callId = `in-${port}-${++count}`;
      const dialog: Dialog = {
        ...UNANSWERED,
        ...{
          number: from,
          callId,
          remote: { address: '127.0.0.1', port: enginePort },
          branch: `z9hG4bK-in-${port}-${count}`,
        },
        ...{
          isCaller: true,
          cseq: 1,
          inviteCseq: 1,
          phone,
          rtp,
          invite: '',
          target: `sip:${to}@127.0.0.1:${enginePort}`,
        },
        ...{
          local: `${habits.get(from)?.name ?? ''} <sip:${from}@${host}:${port}>;tag=c${count}`,
          peer: `<sip:${to}@127.0.0.1:${enginePort}>`,
        },
      };
      dialogs.set(callId, dialog);
      request(dialog, 'INVITE', { more: headers, body: describeSession(rtp.address().port) });
    },
    press: async (number, key, way = 'rfc4733') => {
      const dialog = dialogOf(number);
      if (way === 'rfc4733') return await pressKey(dialog, key);
      if (way === 'inband') return await dialog.phone.say(dtmf(key));
      const body = `Signal=${key}\r\nDuration=160\r\n`;
      request(dialog, 'INFO', { type: 'application/dtmf-relay', body });
    },
    reinvite: async (number, direction) => {
      const dialog = dialogOf(number);
      const agreed = new Promise<number>((resolve) => {
        dialog.onAgreed = resolve;
      });
      request(dialog, 'INVITE', { body: describeSession(dialog.rtp.address().port, direction, dialog.cseq + 1) });
      assert.equal(await agreed, 200, `the answer to ${direction}`);
    },
    hangUp: (number) => hangUp(dialogOf(number)),
    rings: (number) => [...dialogs.values()].some((dialog) => dialog.number === number && dialog.answer !== undefined),
    answer: (number) => (dialogOf(number).answer ?? assert.fail(`${number} does not ring`))(),
    countCalls: (number) => calls.get(number) ?? 0,
    refusalOf: (number) => refusals.get(number),
    countAnswers: (number) => answers.get(number) ?? 0,
    listTalkers: () => [...dialogs.values()].filter(({ isUp }) => isUp).map(({ number }) => number),
    answeredAtMs: (number) => dialogOf(number).answeredAtMs,
    inviteOf: (number) => dialogOf(number).invite,
    phoneOf: (number) => dialogOf(number).phone,
    close: () => {
      for (const dialog of dialogs.values()) end(dialog);
      sip.close();
    },
  };
}

const UNANSWERED = { isUp: false, isCancelled: false, answeredAtMs: Number.NaN };

function setUp(dialog: Dialog): void {
  dialog.isUp = true;
  dialog.answeredAtMs = Date.now();
}

type Reply = { readonly status: string; readonly tag: string; readonly body?: string; readonly number?: string };

/** The parts of a request, in addition to the headers of its dialog. */
type Content = { readonly more?: readonly string[]; readonly type?: string; readonly body?: string };

/**
 * A key of 100 ms and a pause: an event that grows, and its end three times (RFC 4733 section 2.5). All packets are
 * sent at once, because the engine takes a pause between them, as on a busy machine, for the end of the key.
 */
async function pressKey({ phone }: Dialog, key: string): Promise<void> {
  const event = KEYS.indexOf(key);
  let since: number | undefined;
  for (const [at, duration] of [160, 320, 480, 640, 800, 800, 800].entries()) {
    const payload = Buffer.from([event, at >= 4 ? 0x8a : 0x0a, duration >> 8, duration & 0xff]);
    since = phone.sendEvent(TELEPHONE_EVENT, payload, since);
  }
  await sleep(240);
}

async function openSocket(host = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, host);
  await once(socket, 'listening');
  return socket;
}
