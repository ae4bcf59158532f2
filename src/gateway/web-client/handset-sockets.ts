/**
 * The sockets of handsets, on the node that has the audio of their calls. A handset of the customer gets the customer's
 * audio, and a handset of an agent the agent's.
 */
import type { Logger } from 'pino';
import type { Handset, Handsets } from '../../carriers/ports/handset.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Incoming } from '../../http/sockets/socket-server.ts';
import { openPartySocket, type PartySocket, type PartySocketOptions } from '../media/party-socket.ts';
import type { CallAudios } from '../media/types.ts';

export type HandsetSocketsOptions = { readonly audios: CallAudios; readonly handsets: Handsets; readonly log: Logger };

export type HandsetSockets = {
  readonly size: number;
  /**
   * Joins the socket to the audio of its call, which is on this node. It replaces an older socket of the handset.
   * Returns false, and does nothing, if the token is not a handset's.
   */
  accept(incoming: Incoming, token: string): Promise<boolean>;
  /** Closes all sockets, and every socket that connects later. */
  closeAll(reason: CloseReason): void;
};

export function createHandsetSockets({ audios, handsets, log }: HandsetSocketsOptions): HandsetSockets {
  /** By leg. */
  const sockets = new Map<string, PartySocket>();
  let closedFor: CloseReason | undefined;

  const open = (handset: Handset, parts: Pick<PartySocketOptions, 'webSocket' | 'connection' | 'lease'>) => {
    const readLine = handsets.lineOf(handset);
    const isCustomer = handset.party === 'customer';
    const socket = openPartySocket({
      ...parts,
      into: () => readLine().into,
      isApart: () => readLine().isApart,
      hear: ({ agent, outbound }) => {
        const { state } = readLine();
        if (state === 'over') socket.stop('call_ended');
        if (state !== 'on_call') return undefined;
        return isCustomer ? outbound : agent;
      },
      onEnd: (counts) => log.debug({ leg: handset.legId, ...counts }, 'the audio of a handset ended'),
    });
    return socket;
  };

  const connect = async ({ webSocket, connection }: Incoming, handset: Handset) => {
    const { legId } = handset;
    const lease = await audios.acquire(handset);
    if (closedFor !== undefined) closeSocket(webSocket, closedFor);
    if (webSocket.readyState !== webSocket.OPEN) return lease.release();
    sockets.get(legId)?.close(CLOSE.audioTaken);
    const socket = open(handset, { webSocket, connection, lease });
    sockets.set(legId, socket);
    webSocket.on('close', () => {
      if (sockets.get(legId) === socket) sockets.delete(legId);
    });
  };

  return {
    get size() {
      return sockets.size;
    },
    accept: async (incoming, token) => {
      if (!handsets.isToken(token)) return false;
      const handset = await handsets.claim(token);
      if (handset === undefined) closeSocket(incoming.webSocket, CLOSE.usedToken);
      else await connect(incoming, handset);
      return true;
    },
    closeAll: (reason) => {
      closedFor = reason;
      for (const socket of sockets.values()) socket.close(reason);
    },
  };
}
