/** The claimed streams of this node, including relays, from the claim of their token to the report of their end. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import { type Connected, connectOut } from './dial-out.ts';
import { dialectOf } from './dialects.ts';
import type { EndReports } from './endings.ts';
import { openStreamSocket, type StreamSocket } from './stream-socket.ts';
import type {
  CallAudioLease,
  CallAudios,
  ClaimRefusal,
  GrantedStream,
  RelayEnd,
  StopReason,
  StreamDirectory,
  StreamEnding,
} from './types.ts';
import { openAgentSocket } from './voice-agent/agent-socket.ts';
import type { AgentServices } from './voice-agent/types.ts';

/** The close codes of refused claims. */
export const REFUSED: Readonly<Record<ClaimRefusal, CloseReason>> = {
  elsewhere: CLOSE.unreachable,
  bad_token: CLOSE.usedToken,
  no_stream: CLOSE.noStream,
};

/**
 * Returns the token of a media socket's handshake: from the query, the Authorization header, or Telnyx's own header.
 */
export function tokenOf({ url, headers }: IncomingMessage): string {
  const fromQuery = new URLSearchParams(url?.split('?', 2)[1]).get('token');
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const fromTelnyx = headers['x-telnyx-streaming-auth-token'];
  return fromQuery || bearer || (typeof fromTelnyx === 'string' ? fromTelnyx : '');
}

/** An incoming media connection: open, and paused. */
export type IncomingSocket = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly streamId: string;
  readonly token: string;
};

export type SessionsOptions<Directory> = {
  readonly nodeId: string;
  readonly directory: Directory;
  readonly audios: CallAudios;
  readonly reports: EndReports;
  readonly heartbeat: Heartbeat;
  readonly log: Logger;
};

/** The streams whose clients are connected to this node. */
export type StreamSessions = {
  /** Claims the stream with the token and connects its client, or closes with the code of the reason. */
  accept(incoming: IncomingSocket): Promise<void>;
  /** Connects to the address of a stream, unless it is over or was claimed before. */
  dial(streamId: string): Promise<void>;
  /** Resolves when no stream is being connected. */
  dialled(): Promise<void>;
  /** Ends a stream; false if this node does not have it. */
  stop(streamId: string, reason: StopReason): boolean;
  /** Ends all streams, and every stream that is accepted later. */
  closeAll(): void;
  readonly size: number;
};

type Stop = { readonly reason: StopReason; readonly close: CloseReason };
/** A claimed stream. It gets a socket when the socket is prepared, or a stop if it was stopped before that. */
type Session = { socket?: StreamSocket; stop?: Stop; readonly dial: AbortController };

/** A stream's socket; open, and paused. */
type Connection = Connected & { readonly isDialled: boolean };

/** Why a stream could not be connected, or why a relay ended. */
type EndDetail = Pick<StreamEnding, 'connectError' | 'relay'>;

/** The end of a stream on a node that stops. */
const RESTART = { reason: 'carrier_error', close: CLOSE.restart } as const;

/** Returns the function that starts a claimed stream. After the claim, every end of the stream is reported. */
function createStart(
  { audios, directory, heartbeat, log }: SessionsOptions<StreamDirectory>,
  finish: (streamId: string, reason: StopReason, how?: EndDetail) => void,
  agents: AgentServices,
) {
  /** Ends a stream whose audio has not started. Its client still gets `stop` as the last message. */
  const abandon = ({ webSocket }: Connection, stream: GrantedStream, { reason, close }: Stop) => {
    if (stream.relay === undefined) webSocket.send(dialectOf(stream).stop(reason));
    closeSocket(webSocket, close);
    finish(stream.streamId, reason);
  };

  const connect = (sockets: Connection, stream: GrantedStream, lease: CallAudioLease) => {
    const { audio } = lease;
    const onEnd = (reason: StopReason, relay?: RelayEnd) => {
      lease.release();
      finish(stream.streamId, reason, { relay });
    };
    if (stream.relay === undefined) return openStreamSocket({ ...sockets, heartbeat, stream, audio, onEnd });
    const relay = { ...stream, relay: stream.relay };
    return openAgentSocket({ webSocket: sockets.webSocket, heartbeat, relay, audio, services: agents, onEnd });
  };

  return async (sockets: Connection, stream: GrantedStream, session: Session) => {
    let lease: CallAudioLease | undefined;
    try {
      lease = await audios.acquire(stream.call);
      const stopped = await directory.connected(stream.streamId);
      if (stopped !== null) session.stop ??= { reason: stopped, close: CLOSE.streamStopped };
    } catch (error) {
      log.error({ err: error, stream_id: stream.streamId }, 'a stream could not start; closed its socket with 1011');
      lease?.release();
      return abandon(sockets, stream, { reason: 'carrier_error', close: CLOSE.internalError });
    }
    if (session.stop === undefined) {
      session.socket = connect(sockets, stream, lease);
      return;
    }
    lease.release();
    abandon(sockets, stream, session.stop);
  };
}

export function createStreamSessions(
  options: SessionsOptions<StreamDirectory> & { readonly agents: AgentServices },
): StreamSessions {
  const { nodeId, directory, reports, log } = options;
  const sessions = new Map<string, Session>();
  const dials = new Set<Promise<void>>();
  let isClosed = false;

  const finish = (streamId: string, reason: StopReason, how: EndDetail = {}) => {
    sessions.delete(streamId);
    reports.send('the end of a stream', (lateMs) => directory.closed(streamId, { reason, lateMs, ...how }));
  };

  const prepare = createStart(options, finish, options.agents);

  const stopSession = (session: Session, reason: StopReason, close: CloseReason) => {
    if (session.socket !== undefined) session.socket.stop(reason, close);
    else session.stop ??= { reason, close };
    session.dial.abort();
  };

  const open = (streamId: string): Session => {
    const session: Session = { dial: new AbortController(), ...(isClosed && { stop: RESTART }) };
    if (isClosed) session.dial.abort();
    sessions.set(streamId, session);
    return session;
  };

  const dial = async (streamId: string): Promise<void> => {
    const stream = await directory.claimDial(streamId, nodeId);
    if (stream === undefined) return;
    const session = open(streamId);
    const connected = await connectOut(stream, session.dial.signal);
    if ('webSocket' in connected) return prepare({ ...connected, isDialled: true }, stream, session);
    if (session.stop !== undefined) return finish(streamId, session.stop.reason);
    log.info({ stream_id: streamId, failure: connected.failure.kind }, 'could not connect a stream; it has failed');
    finish(streamId, 'no_client', { connectError: connected.failure.message });
  };

  return {
    accept: async (incoming) => {
      const { streamId, token, webSocket, connection } = incoming;
      const claim = await directory.claim(streamId, token, nodeId);
      if (!claim.ok) return closeSocket(webSocket, REFUSED[claim.refused]);
      await prepare({ webSocket, connection, isDialled: false }, claim.stream, open(streamId));
    },
    dial: (streamId) => {
      const done = dial(streamId).finally(() => dials.delete(done));
      dials.add(done);
      return done;
    },
    dialled: async () => void (await Promise.allSettled(dials)),
    stop: (streamId, reason) => {
      const session = sessions.get(streamId);
      if (session !== undefined) stopSession(session, reason, CLOSE.streamStopped);
      return session !== undefined;
    },
    closeAll: () => {
      isClosed = true;
      for (const session of [...sessions.values()]) stopSession(session, RESTART.reason, RESTART.close);
    },
    get size() {
      return sessions.size;
    },
  };
}
