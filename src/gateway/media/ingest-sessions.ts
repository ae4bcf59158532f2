/** The carriers' media sockets of this node: at most one for each track of a leg. */
import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import { type CarrierSocket, openCarrierSocket } from './carrier-socket.ts';
import { type IncomingSocket, REFUSED, type SessionsOptions } from './sessions.ts';
import type { AudioSource, CallAudioLease, IngestDirectory, IngestGrant, IngestName } from './types.ts';

/** An incoming socket of a carrier: open, and paused. */
type IncomingIngest = Omit<IncomingSocket, 'streamId'> & { readonly name: IngestName };

export type IngestSessions = {
  /** Checks the carrier's token and joins the socket to its call, or closes with the code of the reason. */
  accept(incoming: IncomingIngest): Promise<void>;
  /** Closes all sockets, and every socket that is accepted later. */
  closeAll(): void;
  readonly size: number;
};

/** The sockets of one call. If one is lost, the others are closed with the call's audio. */
type CallSockets = { readonly names: Set<IngestName>; readonly fromCarrier: AudioSource[]; isLost: boolean };

export function createIngestSessions(options: SessionsOptions<IngestDirectory>): IngestSessions {
  const { nodeId, directory, audios, reports, heartbeat, log } = options;
  const sockets = new Set<CarrierSocket>();
  const calls = new Map<string, CallSockets>();
  let isClosed = false;

  /** Reserves the track for this socket. Returns false if another socket has it. */
  const reserve = (name: IngestName): boolean => {
    const call = calls.get(name.callId) ?? { names: new Set(), fromCarrier: [], isLost: false };
    if ([...call.names].some((other) => overlaps(other, name))) return false;
    call.names.add(name);
    calls.set(name.callId, call);
    return true;
  };
  /** Frees the track of a socket. The end of the last socket of a call is reported. */
  const finish = (name: IngestName, { call }: IngestGrant) => {
    const held = calls.get(name.callId);
    held?.names.delete(name);
    if (held === undefined || held.names.size > 0) return;
    calls.delete(name.callId);
    const how = held.isLost ? 'lost' : 'ended';
    reports.send('the end of a carrier socket', () => directory.closed(call, nodeId, how));
  };

  const connect = ({ webSocket, connection, name }: IncomingIngest, grant: IngestGrant, lease: CallAudioLease) => {
    const { audio } = lease;
    let socket: CarrierSocket | undefined;
    const onEnd = (how: 'ended' | 'lost') => {
      if (socket !== undefined) sockets.delete(socket);
      socket = undefined;
      if (how === 'lost') {
        held.isLost = true;
        // Without its carrier the call has no audio.
        audio.close('carrier_error');
      }
      lease.release();
      finish(name, grant);
    };
    const held = calls.get(name.callId) as CallSockets;
    const { fromCarrier } = held;
    const parts = { audio, fromCarrier, dialect: grant.dialect, plays: name.track !== 'outbound' };
    const opened = openCarrierSocket({ webSocket, connection, heartbeat, log, onEnd, ...parts });
    if (webSocket.readyState !== webSocket.OPEN) return;
    socket = opened;
    sockets.add(opened);
    if (isClosed) opened.close(CLOSE.restart);
  };

  return {
    accept: async (incoming) => {
      const { name, token, webSocket } = incoming;
      const claim = await directory.claim(name, token, nodeId);
      if (!claim.ok) return closeSocket(webSocket, REFUSED[claim.refused]);
      if (!reserve(name)) return closeSocket(webSocket, CLOSE.trackTaken);
      try {
        connect(incoming, claim.grant, await audios.acquire(claim.grant.call));
      } catch (error) {
        log.error({ err: error, call: name.callId }, 'a carrier socket could not start; closed with 1011');
        closeSocket(webSocket, CLOSE.internalError);
        (calls.get(name.callId) as CallSockets).isLost = true;
        finish(name, claim.grant);
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
