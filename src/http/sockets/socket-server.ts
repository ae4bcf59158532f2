/**
 * WebSocket servers on the port of the API. A handshake on a matching path is authorized first and always completed. A
 * refused client gets a close code, because browsers do not show the status of a refused handshake to pages.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { after } from '../../lib/time/time.ts';
import { CLOSE, type CloseReason, closeSocket } from './close-codes.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';

/** How long a closing handshake may take before the connection is cut. */
const CLOSING_MS = 5_000;
const SHUTDOWN_MS = 2_000;

/** An open socket and its handshake. */
export type Incoming = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly request: IncomingMessage;
};

export type SocketServerOptions<Grant extends object> = {
  /** Names the socket in log lines: "realtime". */
  readonly name: string;
  /** True for the paths of this server. */
  readonly matches: (path: string) => boolean;
  readonly messageBytesMax: number;
  /** The most open sockets of this server, including sockets in a closing handshake; no limit by default. */
  readonly socketsMax?: number;
  /** A socket is cut off if it has not answered a ping when the next ping is due. */
  readonly pings: { readonly everyMs: number; readonly answer: 'echo' | 'any' };
  readonly log: Logger;
  /**
   * Returns a grant, or the reason for closing the socket. Runs before the handshake completes, so that a connected
   * client misses no message.
   */
  readonly authorize: (request: IncomingMessage) => Grant | CloseReason | Promise<Grant | CloseReason>;
  /** Serves an authorized socket. If it fails, the socket is closed with 1011. */
  readonly serve: (incoming: Incoming, grant: Grant) => void | Promise<void>;
};

export type SocketServer = {
  readonly heartbeat: Heartbeat;
  /** Open sockets whose `serve` has not returned yet. */
  readonly arriving: number;
  /** Closes new sockets with 1012 from now on. Handshakes that have begun are still accepted. */
  refuseNew(): void;
  /** Resolves when no socket is arriving. */
  arrived(): Promise<void>;
  /** Closes every socket with 1012. Resolves when all are closed. After 2 s the connections are cut. */
  close(): Promise<void>;
};

/** Serves WebSockets on the server. In a process without a server, the caller passes null and nothing is served. */
export function attachSockets<Grant extends object>(
  server: Server | null,
  options: SocketServerOptions<Grant>,
): SocketServer {
  const { name, matches, messageBytesMax, socketsMax = Number.POSITIVE_INFINITY, pings, log, authorize } = options;
  const webSockets = createSocketServer(messageBytesMax);
  const heartbeat = createHeartbeat(pings.everyMs);
  const arriving = new Set<Promise<void>>();
  let refusesNew = false;

  const judge = async (request: IncomingMessage): Promise<Grant | CloseReason> => {
    try {
      return await authorize(request);
    } catch (error) {
      log.error({ err: error }, `${name} socket could not be authorized; it is closed`);
      return CLOSE.internalError;
    }
  };

  const welcome = async (incoming: Incoming, grant: Grant | CloseReason) => {
    const { webSocket } = incoming;
    // The connection or the protocol has failed. The library closes the socket itself.
    webSocket.on('error', (error) => log.debug({ err: error }, `${name} socket failed`));
    if (isRefusal(grant)) return closeSocket(webSocket, grant);
    if (refusesNew) return closeSocket(webSocket, CLOSE.restart);
    if (webSockets.clients.size > socketsMax) return closeSocket(webSocket, CLOSE.tooManySockets);
    heartbeat.watch(webSocket, { answer: pings.answer });
    const served: Promise<void> = serve(incoming, grant).finally(() => arriving.delete(served));
    arriving.add(served);
    await served;
  };

  const serve = async (incoming: Incoming, grant: Grant) => {
    try {
      await options.serve(incoming, grant);
    } catch (error) {
      log.error({ err: error }, `${name} socket could not be served; it is closed`);
      closeSocket(incoming.webSocket, CLOSE.internalError);
    }
  };

  if (server !== null) {
    takeUpgrades(server, matches, (request, connection, head) => {
      // The library does not listen yet. Without this listener, an error of the connection would end the process.
      connection.on('error', (error) => log.debug({ err: error }, `${name} connection failed`));
      void judge(request).then((grant) =>
        webSockets.handleUpgrade(request, connection, head, (webSocket) => {
          void welcome({ webSocket, connection, request }, grant);
        }),
      );
    });
  }

  return {
    heartbeat,
    get arriving() {
      return arriving.size;
    },
    refuseNew: () => {
      refusesNew = true;
    },
    arrived: async () => {
      while (arriving.size > 0) await Promise.all(arriving);
    },
    close: async () => {
      refusesNew = true;
      heartbeat.stop();
      await closeSocketServer(webSockets, CLOSE.restart);
    },
  };
}

/** The path of a request, without its query. */
export function pathOf({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  return url.split('?', 1)[0] as string;
}

/** The token in the query of a handshake. */
export function queryTokenOf({ url = '' }: IncomingMessage): string | null {
  return new URLSearchParams(url.split('?', 2)[1]).get('token');
}

/** Compression is off, because messages are small, or are audio, which does not compress. */
function createSocketServer(messageBytesMax: number): WebSocketServer {
  // The library has the option `closeTimeout`, but its types do not.
  const closing = { closeTimeout: CLOSING_MS };
  return new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: messageBytesMax, ...closing });
}

/** Closes every socket. Resolves when all are closed. After 2 s the connections are cut. */
async function closeSocketServer(webSockets: WebSocketServer, reason: CloseReason): Promise<void> {
  for (const webSocket of webSockets.clients) closeSocket(webSocket, reason);
  const deadline = after(SHUTDOWN_MS, () => {
    for (const webSocket of webSockets.clients) webSocket.terminate();
  });
  await new Promise<void>((resolve) => webSockets.close(() => resolve()));
  deadline.cancel();
}

function isRefusal(grant: object): grant is CloseReason {
  return Array.isArray(grant);
}

type UpgradeHandler = (request: IncomingMessage, connection: Duplex, head: Buffer) => void;

/**
 * `shouldUpgradeCallback` is an option of `http.createServer`. Node stores it on the server, so it can be set later.
 */
export type Upgradable = Server & { shouldUpgradeCallback: (request: IncomingMessage) => boolean };

/**
 * Passes WebSocket handshakes on matching paths to `handler`. Every other request is served as an ordinary one, even if
 * it offers an upgrade: a client that tries `Upgrade: h2c` with each request gets its answer, and a handshake on an
 * unknown path gets not_found. May be called several times on one server.
 */
function takeUpgrades(server: Server, matches: (path: string) => boolean, handler: UpgradeHandler): void {
  const upgradable = server as Upgradable;
  const others = server.listenerCount('upgrade') > 0 ? upgradable.shouldUpgradeCallback : () => false;
  const isOurs = (request: IncomingMessage) =>
    request.headers.upgrade?.toLowerCase() === 'websocket' && matches(pathOf(request));
  upgradable.shouldUpgradeCallback = (request) => isOurs(request) || others(request);
  server.on('upgrade', (request, connection, head) => {
    if (isOurs(request)) handler(request, connection, head);
  });
}
