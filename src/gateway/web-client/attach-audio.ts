/**
 * The audio sockets of web clients: GET /v1/softphone/audio/{node_id}?token=… . A web client is one source and one sink
 * of its call's audio. Its frames go to the customer (`outbound`). It receives the audio for the agent, in the same
 * messages as a media stream's inbound track. Handsets of test mode connect here too, with separate tokens.
 *
 * A socket ends with its leg or its web client: after a signal, or at the next heartbeat if the signal was lost. A
 * socket for another node is relayed to it, because the audio of a call is on one node.
 */
import type { Server } from 'node:http';
import type { Handsets } from '../../carriers/ports/handset.ts';
import type { Context } from '../../context.ts';
import type { WebClientExchange } from '../../domain/voice/index.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { attachSockets, type Incoming, pathOf } from '../../http/sockets/socket-server.ts';
import { createDrain } from '../media/endings.ts';
import { createRelays, isForwarded } from '../media/relay.ts';
import { tokenOf } from '../media/sessions.ts';
import type { CallAudios, NodeDirectory } from '../media/types.ts';
import {
  type AudioAuthorizer,
  type AudioGrant,
  type AudioPlace,
  placeOf,
  readGrantStates,
} from './audio-authorizer.ts';
import { createHandsetSockets } from './handset-sockets.ts';
import { createLegSockets, type LegSocketsOptions } from './leg-sockets.ts';
import { SOFTPHONE_AUDIO_PATH } from './protocol.ts';

export type WebClientAudioOptions = Pick<LegSocketsOptions, 'speeches' | 'cutterOf'> & {
  /** This node's name in audio addresses. */
  readonly nodeId: string;
  readonly nodes: NodeDirectory;
  readonly authorizer: AudioAuthorizer;
  readonly audios: CallAudios;
  readonly exchange: WebClientExchange;
  /** People on simulated calls. */
  readonly handsets: Handsets;
  /** How often all sockets are checked. A socket ends within this time even if its signal is lost. */
  readonly heartbeatMs?: number;
};

export type WebClientAudio = {
  /** Open sockets with the audio of a person. */
  readonly size: number;
  /**
   * Refuses new sockets. Waits until the open sockets have ended; closes the rest (1012) after `drainMs`. A second call
   * with a shorter time shortens the first.
   */
  drain(drainMs: number): Promise<void>;
  /** Drains at once. Resolves when every connection is closed, within 2 s. */
  close(): Promise<void>;
};

/** More than a second of audio in one message. */
const MESSAGE_BYTES_MAX = 16_384;
const HEARTBEAT_MS = 3_000;
/** Heartbeats from one ping to the next. */
const PING_EVERY = 4;
const AUDIO_PATH = new RegExp(`^${SOFTPHONE_AUDIO_PATH}(?:/([\\w-]{1,64}))?$`);

/** Serves the audio of web clients on the server. */
export function attachWebClientAudio(
  server: Server,
  context: Pick<Context, 'db' | 'bus' | 'log'>,
  options: WebClientAudioOptions,
): WebClientAudio {
  const { db, log } = context;
  const { nodeId, nodes, authorizer, audios, exchange, handsets, heartbeatMs = HEARTBEAT_MS } = options;
  const legs = createLegSockets(context, { ...options, heartbeatMs });
  const people = createHandsetSockets({ audios, handsets, log });

  /** Returns a token's grant and its place on the call, or the reason for its refusal. */
  const authorize = async (token: string): Promise<{ grant: AudioGrant; place: AudioPlace } | CloseReason> => {
    const grant = authorizer.verifyToken(token);
    if (grant === undefined) return CLOSE.badToken;
    const stateOf = await readGrantStates(db, exchange, grant.ledgerId, [grant]);
    const place = placeOf(stateOf(grant));
    return place === undefined ? CLOSE.badToken : { grant, place };
  };

  const relay = async ({ webSocket, connection, request }: Incoming, { token, holder }: AudioHandshake) => {
    // The client's messages wait until the relay reads them.
    webSocket.pause();
    const caller = { client: webSocket, connection, token };
    const isRelayed =
      !isForwarded(request) && (await relays.forward(caller, { nodeId: holder, path: pathOf(request) }));
    if (!isRelayed) closeSocket(webSocket, CLOSE.unreachable);
  };

  const sockets = attachSockets<AudioHandshake>(server, {
    name: 'web client audio',
    matches: (path) => AUDIO_PATH.test(path),
    messageBytesMax: MESSAGE_BYTES_MAX,
    pings: { everyMs: PING_EVERY * heartbeatMs, answer: 'echo' },
    log,
    authorize: (request) => {
      const [, holder = nodeId] = AUDIO_PATH.exec(pathOf(request)) ?? [];
      return { token: tokenOf(request), holder };
    },
    serve: async (incoming, handshake) => {
      if (handshake.holder !== nodeId) return relay(incoming, handshake);
      if (await people.accept(incoming, handshake.token)) return;
      const authorized = await authorize(handshake.token);
      if (!('grant' in authorized)) return closeSocket(incoming.webSocket, authorized);
      await legs.connect(incoming, authorized);
    },
  });
  const relays = createRelays({ nodeId, nodes, heartbeat: sockets.heartbeat });
  const drained = createDrain(() => sockets.arriving + legs.size + people.size + relays.size > 0);

  const drain = async (drainMs: number) => {
    sockets.refuseNew();
    await drained.wait(drainMs);
    legs.closeAll(CLOSE.restart);
    people.closeAll(CLOSE.restart);
    relays.closeAll();
    await sockets.arrived();
  };

  return {
    get size() {
      return legs.size + people.size;
    },
    drain,
    close: async () => {
      await drain(0);
      legs.stop();
      await sockets.close();
    },
  };
}

/** The parameters in the request of an audio socket; `holder` is the node that has the audio. */
type AudioHandshake = { readonly token: string; readonly holder: string };
