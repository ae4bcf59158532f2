/** The claimed streams of this node, from the claim of their token to the report of their end. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import type { EndReports } from './endings.ts';
import { stopText } from './protocol.ts';
import { openStreamSocket, type StreamSocket } from './stream-socket.ts';
import type { CallAudioLease, CallAudios, ClaimRefusal, GrantedStream, StopReason, StreamDirectory } from './types.ts';

/** The close codes of claims that are refused. */
export const REFUSED: Readonly<Record<ClaimRefusal, CloseReason>> = {
  elsewhere: CLOSE.unreachable,
  bad_token: CLOSE.usedToken,
  no_stream: CLOSE.noStream,
};

/**
 * Returns the token of a media socket's handshake: from the query, the Authorization header, or the header in which
 * Telnyx sends it.
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
  /** Claims the stream with the token and connects its client, or closes with the code that says why not. */
  accept(incoming: IncomingSocket): Promise<void>;
  /** Ends a stream; false if this node does not have it. */
  stop(streamId: string, reason: StopReason): boolean;
  /** Ends all streams, and every stream that is accepted later. */
  closeAll(): void;
  readonly size: number;
};

/** A claimed stream. It has a socket once it is prepared, or a stop if it was stopped before that. */
type Session = { socket?: StreamSocket; stop?: { reason: StopReason; close: CloseReason } };

/** The end of a stream whose node stops. */
const RESTART = { reason: 'carrier_error', close: CLOSE.restart } as const;

export function createStreamSessions(options: SessionsOptions<StreamDirectory>): StreamSessions {
  const { nodeId, directory, audios, reports, heartbeat, log } = options;
  const sessions = new Map<string, Session>();
  let isClosed = false;

  const finish = (streamId: string, reason: StopReason) => {
    sessions.delete(streamId);
    reports.send('the end of a stream', (lateMs) => directory.closed(streamId, { reason, lateMs }));
  };

  /** Ends a stream whose audio has not started; `stop` is still the last message to its client. */
  const abandon = ({ webSocket, streamId }: IncomingSocket, reason: StopReason, close: CloseReason) => {
    webSocket.send(stopText(reason));
    closeSocket(webSocket, close);
    finish(streamId, reason);
  };

  const connect = (incoming: IncomingSocket, stream: GrantedStream, lease: CallAudioLease) => {
    const { webSocket, connection } = incoming;
    const { audio } = lease;
    const onEnd = (reason: StopReason) => {
      lease.release();
      finish(stream.streamId, reason);
    };
    return openStreamSocket({ webSocket, connection, heartbeat, stream, audio, onEnd });
  };

  /** Starts a claimed stream. From the claim on, its end is reported whatever happens. */
  const prepare = async (incoming: IncomingSocket, stream: GrantedStream, session: Session) => {
    let lease: CallAudioLease | undefined;
    try {
      lease = await audios.acquire(stream.call);
      const stopped = await directory.connected(stream.streamId);
      if (stopped !== null) session.stop ??= { reason: stopped, close: CLOSE.streamStopped };
    } catch (error) {
      log.error({ err: error, stream_id: stream.streamId }, 'a stream could not start; closed its socket with 1011');
      lease?.release();
      return abandon(incoming, 'carrier_error', CLOSE.internalError);
    }
    if (session.stop === undefined) {
      session.socket = connect(incoming, stream, lease);
      return;
    }
    lease.release();
    abandon(incoming, session.stop.reason, session.stop.close);
  };

  const stopSession = (session: Session, reason: StopReason, close: CloseReason) => {
    if (session.socket !== undefined) session.socket.stop(reason, close);
    else session.stop ??= { reason, close };
  };

  return {
    accept: async (incoming) => {
      const { streamId, token, webSocket } = incoming;
      const claim = await directory.claim(streamId, token, nodeId);
      if (!claim.ok) return closeSocket(webSocket, REFUSED[claim.refused]);
      const session: Session = isClosed ? { stop: RESTART } : {};
      sessions.set(streamId, session);
      await prepare(incoming, claim.stream, session);
    },
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
