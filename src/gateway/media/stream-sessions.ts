import type { Logger } from 'pino';
import { CLOSE, type CloseReason, REFUSED, refuse } from './close-codes.ts';
import type { Visit } from './gateway.ts';
import type { Reports } from './reports.ts';
import { openStreamSocket, type StreamSocket } from './stream-socket.ts';
import type { CallAudioLease, CallAudios, GrantedStream, StopReason, StreamDirectory } from './types.ts';
import { stopText } from './wire.ts';

export type StreamSessionsOptions = {
  readonly nodeId: string;
  readonly directory: StreamDirectory;
  readonly audios: CallAudios;
  readonly reports: Reports;
  readonly log: Logger;
};

/** A claimed stream: being prepared, with its client, or told to stop before it got there. */
type Session = { socket?: StreamSocket; stop?: { reason: StopReason; close: CloseReason } };

/** The streams whose clients are connected to this node, from claim to report. */
export type StreamSessions = {
  /** Claims the stream with the visitor's token and connects it, or closes with the code that says why not. */
  admit(visit: Visit): Promise<void>;
  stop(streamId: string, reason: StopReason): boolean;
  closeAll(): void;
  open(): StreamSocket[];
  readonly size: number;
};

export function createStreamSessions(options: StreamSessionsOptions): StreamSessions {
  const { nodeId, directory, audios, reports, log } = options;
  const sessions = new Map<string, Session>();

  const finish = (streamId: string, reason: StopReason) => {
    sessions.delete(streamId);
    reports.send('the end of a stream', (lateMs) => directory.closed(streamId, { reason, lateMs }));
  };

  /** Before its audio began; also then `stop` is the last that a client is told. */
  const giveUp = ({ webSocket, streamId }: Visit, reason: StopReason, why: CloseReason) => {
    webSocket.send(stopText(reason));
    refuse(webSocket, why);
    finish(streamId, reason);
  };

  const connect = (visit: Visit, stream: GrantedStream, lease: CallAudioLease) => {
    const { webSocket, connection } = visit;
    const { audio } = lease;
    const onEnd = (reason: StopReason) => {
      lease.release();
      finish(stream.streamId, reason);
    };
    return openStreamSocket({ webSocket, connection, stream, audio, onEnd });
  };

  /** Everything after the claim: the stream is ours now, and its end is reported whatever happens. */
  const prepare = async (visit: Visit, stream: GrantedStream, session: Session) => {
    let lease: CallAudioLease | undefined;
    try {
      lease = await audios.acquire(stream.call);
      const stopped = await directory.connected(stream.streamId);
      if (stopped !== null) session.stop ??= { reason: stopped, close: CLOSE.stopped };
    } catch (error) {
      log.error({ err: error, stream_id: stream.streamId }, 'stream could not begin');
      lease?.release();
      return giveUp(visit, 'carrier_error', CLOSE.fault);
    }
    if (session.stop === undefined) {
      // Set before it can end, and left alone where it has.
      const socket = connect(visit, stream, lease);
      session.socket = socket;
      return;
    }
    lease.release();
    giveUp(visit, session.stop.reason, session.stop.close);
  };

  const stopSession = (session: Session, reason: StopReason, close: CloseReason) => {
    if (session.socket !== undefined) session.socket.stop(reason, close);
    else session.stop ??= { reason, close };
  };

  return {
    admit: async (visit) => {
      const { streamId, token, webSocket } = visit;
      const claim = await directory.claim(streamId, token, nodeId);
      if (!claim.ok) return refuse(webSocket, REFUSED[claim.refused]);
      const session: Session = {};
      sessions.set(streamId, session);
      await prepare(visit, claim.stream, session);
    },
    stop: (streamId, reason) => {
      const session = sessions.get(streamId);
      if (session !== undefined) stopSession(session, reason, CLOSE.stopped);
      return session !== undefined;
    },
    closeAll: () => {
      for (const session of [...sessions.values()]) stopSession(session, 'carrier_error', CLOSE.restart);
    },
    open: () => [...sessions.values()].flatMap(({ socket }) => (socket === undefined ? [] : [socket])),
    get size() {
      return sessions.size;
    },
  };
}
