/** A node of the media gateway alone. Its streams are in memory; its sockets and its time are real. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { type ClientOptions, WebSocket } from 'ws';
import type { AnswerFinding } from '../../src/audio/answer/answer-detector.ts';
import type { SocketDialect, SocketTrack } from '../../src/carriers/ports/audio.ts';
import { createCallAudios } from '../../src/gateway/media/call-audios.ts';
import { attachGateway, type GatewayOptions } from '../../src/gateway/media/gateway.ts';
import { createTicker, type MonotonicClock } from '../../src/gateway/media/ticker.ts';
import type {
  DialledStream,
  GrantedStream,
  IngestGrant,
  Populate,
  StreamEnding,
} from '../../src/gateway/media/types.ts';
import { after as schedule } from '../../src/lib/time/time.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { skipWhile } from './stepping-time.ts';

export type MediaNodeOptions = Partial<GatewayOptions> & {
  populate?: Populate;
  /** The clock of the audio. */
  clock?: MonotonicClock;
};

export type MediaNode = Awaited<ReturnType<typeof startMediaNode>>;

/** The default stream of a test. */
export const FORK = {
  direction: 'fork',
  track: 'both',
  dialect: 'native',
  accountId: 'acc_1',
  parameters: {},
} as const;

const noParties: Populate = async () => () => undefined;

/** Starts a node. The token of a stream is `token-{id}`, valid once; a carrier's token is `carrier-{leg}`. */
async function startMediaNode({ populate = noParties, clock, ...options }: MediaNodeOptions = {}) {
  const nodeId = options.nodeId ?? 'node1';
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const ticker = createTicker({ onError, ...(clock && { clock }) });
  const audios = createCallAudios({ ticker, populate, onError });
  const streams = new Map<string, GrantedStream & { token: string | undefined; nodeId: string }>();
  const dials = new Map<string, DialledStream>();
  const grants = new Map<
    string,
    Omit<IngestGrant, 'dialect'> & { readonly dialect: (track: SocketTrack) => SocketDialect }
  >();
  const connected: string[] = [];
  const endings = new Map<string, StreamEnding>();
  const ingestEndings = new Map<string, 'ended' | 'lost'>();
  const agentEndings: string[] = [];
  const findings: (AnswerFinding & { readonly legId: string })[] = [];
  const server = createServer((_request, response) => response.end());
  const gateway = attachGateway(server, {
    nodeId,
    audios,
    log: pino({ level: 'silent' }),
    nodes: { find: async () => undefined },
    agents: {
      recognize: async () => null,
      findListener: async () => undefined,
      speak: async () => new Uint8Array(),
      fetchFile: async () => ({ problem: 'No files.' }),
      sendDigits: async () => undefined,
    },
    streams: {
      claim: async (streamId, token) => {
        const stream = streams.get(streamId);
        if (stream === undefined) return { ok: false, refused: 'no_stream' };
        if (stream.token !== undefined && stream.nodeId !== nodeId) return { ok: false, refused: 'elsewhere' };
        if (stream.token !== token) return { ok: false, refused: 'bad_token' };
        streams.set(streamId, { ...stream, token: undefined });
        return { ok: true, stream };
      },
      claimDial: async (streamId) => dials.get(streamId),
      connected: async (streamId) => {
        connected.push(streamId);
        return null;
      },
      closed: async (streamId, ending) => void endings.set(streamId, ending),
    },
    ingests: {
      claim: async ({ legId, track }, token) => {
        const grant = grants.get(legId);
        if (grant === undefined) return { ok: false, refused: 'no_stream' };
        if (token !== `carrier-${legId}`) return { ok: false, refused: 'bad_token' };
        return { ok: true, grant: { ...grant, dialect: grant.dialect(track) } };
      },
      closed: async ({ callId }, _nodeId, how, agentLegId) => {
        if (agentLegId === undefined) ingestEndings.set(callId, how);
        else agentEndings.push(agentLegId);
      },
      found: async (_call, legId, finding) => void findings.push({ ...finding, legId }),
    },
    retryMs: 10,
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, nodeId, gateway, audios, ticker, errors, connected, endings, findings, ingestEndings, grants, dials },
    agentEndings,
    addStream: (id: string, stream: Partial<GrantedStream & { token: undefined; nodeId: string }> = {}) => {
      const holder = stream.nodeId ?? nodeId;
      const call = { ledgerId: 1, callId: `call_${id}` };
      streams.set(id, {
        streamId: id,
        call,
        ...FORK,
        direction: 'bidirectional',
        token: `token-${id}`,
        nodeId: holder,
        ...stream,
      });
      return `${url}/v1/streams/${holder}/${id}?token=token-${id}`;
    },
    close: async () => {
      await gateway.close();
      ticker.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns a function that starts nodes, which are closed after the tests of the file. */
export function useMediaNodes(): (options?: MediaNodeOptions) => Promise<MediaNode> {
  const nodes: MediaNode[] = [];
  closeAfterTests(() => Promise.all(nodes.map((node) => node.close())));
  return async (options) => {
    const node = await startMediaNode(options);
    nodes.push(node);
    return node;
  };
}

/** A message to a stream's client. */
export type StreamMessage = { event: string; [field: string]: unknown };

/**
 * The longest wait for a state, which usually comes within seconds. Without a limit the file would be killed, without
 * the name of the test.
 */
const UNTIL_MS = 60_000;

/** Connects a stream's client, which stores all messages that it receives. */
export function openMediaClient(url: string, options: ClientOptions = {}) {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  const messages: StreamMessage[] = [];
  const waiting = new Set<() => void>();
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: code as number, reason: String(reason) }));
  const tracks = createTracks();
  socket.on('message', (text) => {
    const message: StreamMessage = JSON.parse(String(text));
    messages.push(message);
    if (message.event === 'media') tracks.add(message);
    for (const check of waiting) check();
  });
  /** Resolves with the first result of `pick` that is not undefined or false. */
  const until = <T>(pick: (messages: readonly StreamMessage[]) => T | undefined | false): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const limit = schedule(UNTIL_MS, () => reject(new Error(`not within ${UNTIL_MS} ms: ${pick}`)));
    const check = () => {
      const picked = pick(messages);
      if (picked === undefined || picked === false) return;
      limit.cancel();
      waiting.delete(check);
      resolve(picked);
    };
    waiting.add(check);
    void closed.then(({ code, reason }) => {
      limit.cancel();
      reject(new Error(`closed with ${code} ${reason}`));
    });
    check();
    return skipWhile(promise, UNTIL_MS);
  };
  const send = (message: object) => socket.send(JSON.stringify(message));
  return { socket, messages, closed, until, send, audioOf: tracks.audioOf };
}

/** The codes of each track. Tests read them at every message, so they are decoded once, into an array that grows. */
function createTracks() {
  const tracks = new Map<unknown, { codes: Uint8Array; length: number }>();
  const find = (name: unknown) => tracks.get(name) ?? { codes: new Uint8Array(16_000), length: 0 };
  return {
    add: ({ track, payload }: StreamMessage) => {
      const { codes, length } = find(track);
      const more = Buffer.from(String(payload), 'base64');
      const end = length + more.length;
      const room = end <= codes.length ? codes : new Uint8Array(2 * end);
      if (room !== codes) room.set(codes);
      room.set(more, length);
      tracks.set(track, { codes: room, length: end });
    },
    /** Returns all audio of a track so far. */
    audioOf: (track: string): Uint8Array => {
      const { codes, length } = find(track);
      return codes.subarray(0, length);
    },
  };
}
