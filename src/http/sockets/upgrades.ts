import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** An option of `http.createServer` that Node keeps on the server, which is where an existing one can be given it. */
type Upgradable = Server & { shouldUpgradeCallback: (request: IncomingMessage) => boolean };

/**
 * Gives WebSocket handshakes on the paths that match to `handler`. Every other request stays an ordinary one, also
 * when it offers an upgrade: clients that try `Upgrade: h2c` with each request get their answer, and a handshake on an
 * unknown path gets the usual not_found. May be called several times on one server.
 */
export function takeUpgrades(server: Server, matches: (path: string) => boolean, handler: UpgradeHandler): void {
  const upgradable = server as Upgradable;
  const others = server.listenerCount('upgrade') > 0 ? upgradable.shouldUpgradeCallback : () => false;
  const isOurs = (request: IncomingMessage) =>
    request.headers.upgrade?.toLowerCase() === 'websocket' && matches((request.url ?? '').split('?', 1)[0] as string);
  upgradable.shouldUpgradeCallback = (request) => isOurs(request) || others(request);
  server.on('upgrade', (request, socket, head) => {
    if (isOurs(request)) handler(request, socket, head);
  });
}
