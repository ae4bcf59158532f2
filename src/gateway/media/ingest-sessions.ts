/** The carriers' media sockets of this node: at most one for each track of a leg. */
import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import { type AnswerEar, type AnswerEarOptions, createAnswerEar, type Detects } from './answer-ear.ts';
import { type AnswerSocket, openAnswerSocket } from './answer-socket.ts';
import { type CarrierSocket, openCarrierSocket } from './carrier-socket.ts';
import { type IncomingSocket, REFUSED, type SessionsOptions } from './sessions.ts';
import type {
  AudioSource,
  CallAudio,
  CallAudioLease,
  CallRef,
  IngestDirectory,
  IngestGrant,
  IngestName,
} from './types.ts';

/** An incoming socket of a carrier: open, and paused. */
type IncomingIngest = Omit<IncomingSocket, 'streamId'> & { readonly name: IngestName };

export type IngestSessions = {
  /** Checks the carrier's token and joins the socket to its call, or closes with the code of the reason. */
  accept(incoming: IncomingIngest): Promise<void>;
  /** Closes all sockets, and every socket that is accepted later. */
  closeAll(): void;
  readonly size: number;
};

/**
 * The sockets of one call. If one of the customer's sockets is lost, the call's audio closes, and with it the other
 * sockets.
 */
type CallSockets = { readonly names: Set<IngestName>; isLost: boolean };

type TrackOptions = Pick<SessionsOptions<IngestDirectory>, 'nodeId' | 'directory' | 'reports'>;

/** Creates the record of the tracks that have a socket on this node. */
function createTracks({ nodeId, directory, reports }: TrackOptions) {
  const calls = new Map<string, CallSockets>();
  return {
    /** Reserves the track for a socket. Returns false if another socket has it. */
    reserve: (name: IngestName): boolean => {
      const call = calls.get(name.callId) ?? { names: new Set(), isLost: false };
      if ([...call.names].some((other) => overlaps(other, name))) return false;
      call.names.add(name);
      calls.set(name.callId, call);
      return true;
    },
    /** Frees the track of a socket. Reports the end of an agent's socket, and the end of a customer's last socket. */
    free: (name: IngestName, { call, party }: IngestGrant, how: 'ended' | 'lost'): void => {
      const held = calls.get(name.callId) as CallSockets;
      held.names.delete(name);
      if (held.names.size === 0) calls.delete(name.callId);
      if (party === 'agent') {
        reports.send('the end of a carrier socket', () => directory.closed(call, nodeId, how, name.legId));
        return;
      }
      if (how === 'lost') held.isLost = true;
      if ([...held.names].some(({ legId }) => legId === name.legId)) return;
      const ended = held.isLost ? 'lost' : 'ended';
      held.isLost = false;
      reports.send('the end of a carrier socket', () => directory.closed(call, nodeId, ended));
    },
  };
}

type EarOptions = Pick<SessionsOptions<IngestDirectory>, 'directory' | 'reports'>;

/** Returns the function that stores the detector's findings about a leg. */
function reportOf(
  { directory, reports }: EarOptions,
  { legId }: IngestName,
  call: CallRef,
): AnswerEarOptions['report'] {
  return (finding, stored) =>
    reports.send('who has answered', async () => {
      await directory.found(call, legId, finding);
      stored();
    });
}

/**
 * Creates the detector that shares the audio of a leg with the call. Returns undefined if the detector has nothing to
 * do.
 */
function earOf(options: EarOptions, name: IngestName, { call, detects }: IngestGrant): AnswerEar | undefined {
  return detects && createAnswerEar({ detects, report: reportOf(options, name, call), onDone: () => undefined });
}

export function createIngestSessions(options: SessionsOptions<IngestDirectory>): IngestSessions {
  const { nodeId, directory, audios, heartbeat, log } = options;
  const sockets = new Set<CarrierSocket | AnswerSocket>();
  const tracks = createTracks(options);
  /** For the audio of each call: the sources that its carriers feed, of all parties. */
  const fromCarriers = new WeakMap<CallAudio, AudioSource[]>();
  let isClosed = false;

  const connect = ({ webSocket, connection, name }: IncomingIngest, grant: IngestGrant, lease: CallAudioLease) => {
    const { audio } = lease;
    let socket: CarrierSocket | undefined;
    const { party = 'customer' } = grant;
    const onEnd = (how: 'ended' | 'lost') => {
      if (socket !== undefined) sockets.delete(socket);
      socket = undefined;
      // Without the customer the call has no audio.
      if (how === 'lost' && party === 'customer') audio.close('carrier_error');
      lease.release();
      tracks.free(name, grant, how);
    };
    const fromCarrier = fromCarriers.get(audio) ?? [];
    fromCarriers.set(audio, fromCarrier);
    const parts = {
      audio,
      party,
      fromCarrier,
      dialect: grant.dialect,
      plays: name.track !== 'outbound',
      ear: earOf(options, name, grant),
    };
    const opened = openCarrierSocket({ webSocket, connection, heartbeat, log, onEnd, ...parts });
    if (webSocket.readyState !== webSocket.OPEN) return;
    socket = opened;
    sockets.add(opened);
    if (isClosed) opened.close(CLOSE.restart);
  };

  const listen = ({ webSocket, name }: IncomingIngest, { call, dialect }: IngestGrant, detects: Detects) => {
    const report = reportOf(options, name, call);
    const onEnd = () => void sockets.delete(socket);
    const socket = openAnswerSocket({ webSocket, heartbeat, dialect, detects, report, onEnd });
    if (webSocket.readyState !== webSocket.OPEN) return;
    sockets.add(socket);
    if (isClosed) socket.close(CLOSE.restart);
  };

  return {
    accept: async (incoming) => {
      const { name, token, webSocket } = incoming;
      const claim = await directory.claim(name, token, nodeId);
      if (!claim.ok) return closeSocket(webSocket, REFUSED[claim.refused]);
      const { detects, isForDetectorAlone } = claim.grant;
      if (detects !== undefined && isForDetectorAlone === true) return listen(incoming, claim.grant, detects);
      if (!tracks.reserve(name)) return closeSocket(webSocket, CLOSE.trackTaken);
      try {
        connect(incoming, claim.grant, await audios.acquire(claim.grant.call));
      } catch (error) {
        log.error({ err: error, call: name.callId }, 'a carrier socket could not start; closed with 1011');
        closeSocket(webSocket, CLOSE.internalError);
        tracks.free(name, claim.grant, 'lost');
      }
    },
    closeAll: () => {
      isClosed = true;
      for (const socket of [...sockets]) socket.close(CLOSE.restart);
    },
    get size() {
      return sockets.size;
    },
  };
}

/** True if both sockets have the same track of the leg. */
function overlaps(name: IngestName, other: IngestName): boolean {
  if (name.legId !== other.legId) return false;
  return name.track === other.track || name.track === 'both' || other.track === 'both';
}
