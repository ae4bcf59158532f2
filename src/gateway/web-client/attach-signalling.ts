/**
 * The signalling socket of web clients: GET /v1/softphone (protocol.ts). A browser logs in with a token that was minted
 * for one web client. It then receives the calls of that web client, and its requests act on them.
 *
 * A web client has one session at a time, on one node; a newer login replaces the older. The database stores the node
 * of each session. A signal over the bus only asks the nodes to read the database again, so a lost signal loses
 * nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Context } from '../../context.ts';
import type { KeyWatch } from '../../domain/accounts/index.ts';
import { ledgerOfLoginToken, type WebClientExchange } from '../../domain/voice/index.ts';
import { attachSockets, queryTokenOf } from '../../http/sockets/socket-server.ts';
import type { Speech } from '../../speech/port.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import { createSessionList } from './connected-session.ts';
import { createLogIn, type LogIn } from './log-in.ts';
import { CLIENT_MESSAGE_BYTES_MAX, SOFTPHONE_PATH } from './protocol.ts';
import { createReadPace } from './rate.ts';
import { watchSessions } from './session-watch.ts';
import { readSignallingSocket } from './signalling-socket.ts';
import { relayWebClientSignals } from './signals.ts';

type SoftphoneContext = Pick<Context, 'db' | 'bus' | 'carriers' | 'cipher' | 'clock' | 'log'>;

export type SoftphoneOptions = {
  readonly exchange: WebClientExchange;
  /** Absent if no gateway serves the audio of web clients. */
  readonly audio?: AudioAuthorizer;
  /** Speaks the announcements of transfers; absent if the carriers speak them. */
  readonly speech?: Pick<Speech, 'voice'>;
  /** Returns which browser sessions have ended; their logins end with them. */
  readonly keys?: KeyWatch;
  readonly webClientsMax?: number;
  /** Returns the login function of a product on another database, for web clients whose ledger is in that database. */
  readonly logInElsewhere?: ((ledgerId: number) => LogIn | undefined) | undefined;
  /**
   * How often sessions are renewed and checked. A revocation takes effect within this time even if its signal is lost.
   */
  readonly heartbeatMs?: number;
};

export type Softphone = {
  /** Web clients that are logged in here. */
  readonly size: number;
  /** Logs in a web client of this database whose socket is at a product on another database. */
  readonly logIn: LogIn;
  /** Closes every socket with 1012 (connect elsewhere), and resolves when all are closed, within 2 s. */
  close(): Promise<void>;
};

const WEB_CLIENTS_MAX = 5_000;
const HEARTBEAT_MS = 3_000;
/** Heartbeats from one ping to the next. */
const PING_EVERY = 4;

/**
 * Serves web clients on the server, and relays signals about them to the other processes. A process without a server
 * (a worker) passes null and only relays.
 */
export function attachSignalling(
  server: Server | null,
  context: SoftphoneContext,
  options: SoftphoneOptions,
): Softphone {
  const { db, log } = context;
  const { exchange, audio, keys, speech, webClientsMax = WEB_CLIENTS_MAX, heartbeatMs = HEARTBEAT_MS } = options;
  const nodeId = randomUUID();
  const sessions = createSessionList();
  const logIn = createLogIn({ ...context, speech }, { exchange, audio, webClientsMax, nodeId, sessions, keys });
  const logInAnywhere: LogIn = (webSocket, pace, token) => {
    const ledgerId = ledgerOfLoginToken(context, token);
    const elsewhere = ledgerId === undefined ? undefined : options.logInElsewhere?.(ledgerId);
    return (elsewhere ?? logIn)(webSocket, pace, token);
  };
  const watch = watchSessions(context, { sessions, nodeId, heartbeatMs, keys });

  relayWebClientSignals(context);

  const sockets = attachSockets(server, {
    name: 'softphone',
    matches: (path) => path === SOFTPHONE_PATH,
    messageBytesMax: CLIENT_MESSAGE_BYTES_MAX,
    pings: { everyMs: PING_EVERY * heartbeatMs, answer: 'echo' },
    log,
    // The token may also come in the first message, so the login follows the handshake.
    authorize: (request) => ({ token: queryTokenOf(request) }),
    serve: ({ webSocket }, { token }) => {
      const pace = createReadPace(webSocket, () => sockets.heartbeat.excuse(webSocket));
      readSignallingSocket(webSocket, { token, logIn: (minted) => logInAnywhere(webSocket, pace, minted), pace, log });
    },
  });

  return {
    logIn,
    get size() {
      return sessions.size;
    },
    close: async () => {
      watch.stop();
      await sockets.close();
      await Promise.all([...sessions.all()].map(({ session }) => sessions.forget(db, session)));
    },
  };
}
