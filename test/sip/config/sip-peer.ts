/** A SIP peer over UDP that sends requests and answers as a test says: a provider, a telephone or a stranger. */
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeAfterTests } from '../../support/close-after-tests.ts';
import { headerOf } from '../sip-text.ts';

export type SipPeer = {
  readonly address: string;
  readonly port: number;
  /** The requests that it received. */
  readonly requests: readonly string[];
  /** Sends a request. Returns the final reply. */
  ask(request: Asked): Promise<string>;
};

/** UDP may lose a request (RFC 3261, timer A). */
const RESEND_MS = 500;
const REPLY_MS = 60_000;

type Asked = {
  readonly method: 'INVITE' | 'OPTIONS' | 'REGISTER';
  readonly user: string;
  readonly to: { readonly user: string; readonly port: number };
  /** The request URI, if it differs from `to`. */
  readonly uri?: string;
  /** Answers a challenge. */
  readonly password?: string;
  /** Headers that not every request has. */
  readonly headers?: readonly string[];
};

/**
 * Opens a peer at an address of loopback. It answers REGISTER, and OPTIONS unless it `isDeaf`. If it `rings`, it
 * replies 180 to an INVITE. It does not answer other requests.
 */
export async function openPeer(address = '127.0.0.1', { isDeaf = false, rings = false } = {}): Promise<SipPeer> {
  const socket = createSocket('udp4');
  const requests: string[] = [];
  const waiting = new Map<string, (reply: string) => void>();
  socket.on('message', (bytes, from) => {
    const text = bytes.toString();
    if (!text.startsWith('SIP/2.0 ')) requests.push(text);
    if ((isDeaf ? /^REGISTER / : /^(OPTIONS|REGISTER) /).test(text))
      socket.send(acknowledge(text), from.port, from.address);
    if (rings && text.startsWith('INVITE ')) socket.send(acknowledge(text, '180 Ringing'), from.port, from.address);
    if (/^SIP\/2.0 [2-6]/.test(text)) waiting.get(headerOf(text, 'CSeq'))?.(text);
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  closeAfterTests(() => socket.close());
  let number = 0;

  const send = async (asked: Asked, authorization: string): Promise<string> => {
    const cseq = `${++number} ${asked.method}`;
    const reply = new Promise<string>((resolve) => waiting.set(cseq, resolve));
    const text = requestOf(asked, { address, port, cseq, authorization });
    const sendOnce = () => socket.send(text, asked.to.port, '127.0.0.1');
    const again = setInterval(sendOnce, RESEND_MS);
    const late = sleep(REPLY_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`no reply to ${cseq}`)),
    );
    sendOnce();
    try {
      return await Promise.race([reply, late]);
    } finally {
      clearInterval(again);
    }
  };

  return {
    ...{ address, port, requests },
    ask: async (asked) => {
      const first = await send(asked, '');
      if (asked.password === undefined || !first.startsWith('SIP/2.0 401')) return first;
      return await send(asked, `Authorization: ${answerTo(headerOf(first, 'WWW-Authenticate'), asked)}\r\n`);
    },
  };
}

function acknowledge(request: string, status = '200 OK'): string {
  const kept = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${headerOf(request, name)}`);
  const to = `To: ${headerOf(request, 'To')};tag=peer`;
  const contact = headerOf(request, 'Contact');
  const registered = request.startsWith('REGISTER ') ? [`Contact: ${contact};expires=300`] : [];
  return [`SIP/2.0 ${status}`, ...kept, to, ...registered, 'Content-Length: 0', '', ''].join('\r\n');
}

type Sender = {
  readonly address: string;
  readonly port: number;
  readonly cseq: string;
  readonly authorization: string;
};

function requestOf(
  { method, user, to, uri, headers = [] }: Asked,
  { address, port, cseq, authorization }: Sender,
): string {
  const own = `sip:${user}@${address}:${port}`;
  const lines = [
    `${method} ${uri ?? uriOf({ method, to })} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${port};rport;branch=z9hG4bK-${user}-${cseq.replace(' ', '-')}`,
    `From: <sip:${user}@${address}>;tag=peer`,
    `To: "Doe, Jane: here@home" <sip:${method === 'REGISTER' ? user : to.user}@127.0.0.1>`,
    `Call-ID: ${user}-${port}@${address}`,
    `CSeq: ${cseq}`,
    `Contact: <${own}>`,
    'Max-Forwards: 70',
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n${authorization}Content-Length: 0\r\n\r\n`;
}

function uriOf({ method, to }: Pick<Asked, 'method' | 'to'>): string {
  return method === 'REGISTER' ? `sip:127.0.0.1:${to.port}` : `sip:${to.user}@127.0.0.1:${to.port}`;
}

/** RFC 2617, 3.2.2, with qop=auth. */
function answerTo(challenge: string, { method, user, password, to }: Asked): string {
  const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1] ?? '';
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const [realm, nonce, opaque] = [part('realm'), part('nonce'), part('opaque')];
  const uri = uriOf({ method, to });
  const own = md5(`${user}:${realm}:${password ?? ''}`);
  const response = md5(`${own}:${nonce}:00000001:abc:auth:${md5(`${method}:${uri}`)}`);
  return (
    `Digest username="${user}", realm="${realm}", nonce="${nonce}", uri="${uri}", response="${response}", ` +
    `opaque="${opaque}", algorithm=MD5, qop=auth, nc=00000001, cnonce="abc"`
  );
}
