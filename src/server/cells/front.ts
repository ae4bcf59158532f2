/**
 * The front of a process with cells. It finds the cell of each request, and passes the request on to the cell's app
 * without reading its body.
 *
 * - An address below /cells/NAME, or /cell-audio/NAME for audio, belongs to a cell. Every address that a cell publishes
 *   begins with it: links, streams, the addresses that carriers report to.
 * - A report of a carrier, and a request for a sound, goes to the cell with the connection in its address.
 * - A request below /v1 with a key or a browser session goes to the cell that has that key or session.
 * - A realtime socket, and a socket with the audio of a leg, goes to the cell of its token's ledger, even after a move.
 *   A web client may send its token after the handshake. So the first database's product accepts its socket, and the
 *   cell logs the client in.
 * - All other requests go to the first database. Without cells these are all requests, and nothing is looked up.
 */
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { openRealtimeToken, REALTIME_PATH } from '../../domain/events/index.ts';
import { openIngestToken } from '../../domain/voice/index.ts';
import { INGEST_PATH } from '../../gateway/media/gateway.ts';
import { tokenOf } from '../../gateway/media/sessions.ts';
import { headersForPage } from '../../http/edge/abilities.ts';
import { answerError } from '../../http/edge/connection-errors.ts';
import { passByKey } from '../../http/edge/moved.ts';
import { methodOf } from '../../http/edge/observe.ts';
import { pathOf, queryTokenOf, type Upgradable } from '../../http/sockets/socket-server.ts';
import { readCellPath } from '../../lib/cells.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';
import type { CellSet } from './cell-set.ts';
import { findConnectionPlace } from './connection-places.ts';
import { createKeyRoutes, type KeyPlace } from './key-routes.ts';

type FrontOptions = {
  /** The product on the first database. Its server listens. */
  readonly first: Product;
  readonly cells: Pick<CellSet, 'list' | 'numberOf'>;
};

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly arrivedMs: number };

const RETRY_S = 5;

/** The most requests of one connection that wait for the look-up of a key. One more request closes the connection. */
const WAITING_MAX = 100;

/**
 * Puts the front before the app of the first database.
 * @returns a server that does not listen: the sockets of the first database's product are attached to it
 */
export function attachFront({ first, cells }: FrontOptions): Server {
  const { app, context } = first;
  const { log, metrics } = context;
  const { publicUrl } = context.settings;
  const keyRoutes = createKeyRoutes({ first, cells });
  const takeNamed = createNameReader(cells);
  const lines = createLines();
  const ownListeners = app.server.listeners('request') as RequestListener[];

  /** Refuses a request whose database does not answer. Measures and logs the refusal as an app would. */
  const refuse = ({ request, response, arrivedMs }: Exchange, place: Cell | 'unknown') => {
    const error = new ApiError('database_unavailable', { retryAfterS: RETRY_S });
    const { code, status } = error;
    answerError(response, error, { publicUrl, headers: headersForPage(request) });
    const route = 'unrouted';
    const method = methodOf({ method: request.method ?? '' });
    metrics.requests.observe({ method, route, status }, (monotonicMs() - arrivedMs) / 1_000);
    log.info({ method, route, status, code, ...(place !== 'unknown' && { cell: place.name }) }, 'request');
  };

  const passOn = (exchange: Exchange, place: KeyPlace) => {
    const { request, response } = exchange;
    if (place === 'first') {
      for (const listener of ownListeners)
        listener.call(app.server, request, response as Parameters<RequestListener>[1]);
    } else if (place !== 'unknown' && place.product !== undefined) {
      place.product.app.routing(request, response);
    } else refuse(exchange, place);
  };

  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    takeOriginForm(request);
    const exchange = { request, response, arrivedMs: monotonicMs() };
    const named = takeNamed(request);
    const hasCells = cells.list().length > 0;
    const fixed = (hasCells ? findConnectionPlace({ first, cells }, request.url ?? '') : undefined) ?? named;
    const key = fixed !== undefined || !hasCells ? undefined : keyOf(request);
    if (key === undefined && !lines.isWaiting(request.socket)) return passOn(exchange, fixed ?? 'first');
    lines.join(request.socket, async () => {
      if (key !== undefined) passByKey(request);
      const place = key === undefined ? fixed : await keyRoutes.find(key).catch(() => 'unknown' as const);
      passOn(exchange, place ?? 'first');
    });
  });

  const sockets = new Server() as Upgradable;
  sockets.shouldUpgradeCallback = () => false;
  passUpgrades(app.server, (request) => {
    takeOriginForm(request);
    const named = takeNamed(request);
    const place = cellOfToken(cells, context, request) ?? named ?? 'first';
    return place === 'first' ? sockets : place.product?.app.server;
  });
  return sockets;
}

/**
 * Passes the requests of a connection on in order, and looks up one key at a time. Replies must have the order of the
 * requests, and an app answers the requests of a connection one after another. In another order, two requests would
 * wait for each other.
 */
function createLines() {
  const lines = new WeakMap<Socket, { waiting: number; last: Promise<void> }>();
  return {
    /** True while a request of the connection waits. */
    isWaiting: (socket: Socket): boolean => lines.has(socket),
    /** Runs `pass` after the earlier requests of the connection, unless the connection closes first. */
    join: (socket: Socket, pass: () => Promise<void>): void => {
      const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
      if (line.waiting > WAITING_MAX) return void socket.destroy();
      lines.set(socket, line);
      line.waiting += 1;
      line.last = line.last
        .then(() => (socket.destroyed ? undefined : pass()))
        .finally(() => {
          line.waiting -= 1;
          if (line.waiting === 0) lines.delete(socket);
        });
    },
  };
}

/**
 * Passes handshakes on to the server that `find` returns. A handshake that this server does not accept is served as an
 * ordinary request.
 */
function passUpgrades(server: Server, find: (request: IncomingMessage) => Server | undefined): void {
  (server as Upgradable).shouldUpgradeCallback = (request) => {
    const found = find(request) as Upgradable | undefined;
    return found?.shouldUpgradeCallback(request) === true;
  };
  server.on('upgrade', (request, connection, head) => {
    const found = find(request);
    if (found === undefined) connection.destroy();
    else found.emit('upgrade', request, connection, head);
  });
}

/**
 * Returns the database of the token in the handshake of a realtime socket, or of a carrier's audio socket. The address
 * may name a cell that the account has left. Undefined for other handshakes, and for tokens that we did not make.
 */
function cellOfToken(
  cells: FrontOptions['cells'],
  context: Product['context'],
  request: IncomingMessage,
): Cell | 'first' | undefined {
  const list = cells.list();
  const ledgerId = list.length === 0 ? undefined : ledgerOfToken(context, request);
  if (ledgerId === undefined) return undefined;
  const place = cells.numberOf(ledgerId);
  return place === 0 ? 'first' : list.find(({ number }) => number === place);
}

/** Returns the ledger of the token in a handshake. */
function ledgerOfToken(context: Product['context'], request: IncomingMessage): number | undefined {
  const path = pathOf(request);
  if (path === INGEST_PATH) return openIngestToken(context, tokenOf(request))?.ledgerId;
  if (path !== REALTIME_PATH) return undefined;
  const grant = openRealtimeToken(context, queryTokenOf(request) ?? '');
  return typeof grant === 'string' ? undefined : grant.ledgerId;
}

/**
 * Returns a function that finds the cell in a request's address and cuts the cell's name off the address. A request may
 * be read twice: as a handshake, and as an ordinary request if no socket server accepts it.
 */
function createNameReader(cells: Pick<FrontOptions['cells'], 'list'>) {
  const known = new WeakMap<IncomingMessage, Cell>();
  return (request: IncomingMessage): Cell | undefined => {
    const before = known.get(request);
    if (before !== undefined) return before;
    const named = readCellPath(request.url ?? '');
    if (named === undefined) return undefined;
    const cell = cells.list().find(({ name }) => name === named.name);
    if (cell === undefined) return undefined;
    request.url = named.rest;
    known.set(request, cell);
    return cell;
  };
}

/** Removes scheme and host from an address in absolute form. Every server must accept that form (RFC 9112, 3.2.2). */
function takeOriginForm(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/')) return;
  const [, rest] = /^https?:\/\/[^/?]+(.*)$/is.exec(url) ?? [];
  if (rest !== undefined) request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the key or browser session of a request to the API. */
function keyOf({ url = '', headers }: IncomingMessage): string | undefined {
  if (!url.startsWith('/v1/')) return undefined;
  return /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
}
