/** The login of a web client: from its token to a connected session. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Context } from '../../context.ts';
import { findLedger } from '../../db/ledgers.ts';
import { findPause } from '../../db/pause.ts';
import type { KeyWatch } from '../../domain/accounts/index.ts';
import {
  closeSession,
  openLoginToken,
  openSession,
  type WebClientExchange,
  type WebClientSession,
  wakeWebClient,
} from '../../domain/voice/index.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import type { AudioAuthorizer } from './audio-authorizer.ts';
import {
  type ConnectedSession,
  createConnectedSession,
  type SessionContext,
  type SessionList,
} from './connected-session.ts';
import type { ReadPace } from './rate.ts';
import { createSetAudio } from './signals.ts';

export type LogInOptions = {
  readonly exchange: WebClientExchange;
  readonly audio: AudioAuthorizer | undefined;
  readonly webClientsMax: number;
  readonly nodeId: string;
  readonly sessions: SessionList;
  /** Absent if browser sessions are not checked. */
  readonly keys?: KeyWatch | undefined;
};

/** Resolves with undefined if the login was refused and the socket closed. */
export type LogIn = (webSocket: WebSocket, pace: ReadPace, token: string) => Promise<ConnectedSession | undefined>;

const SESSION_MS_MAX = 12 * 3_600_000;

export function createLogIn(
  context: SessionContext & Pick<Context, 'bus' | 'cipher'>,
  { exchange, audio, webClientsMax, nodeId, sessions, keys }: LogInOptions,
): LogIn {
  const { db, log, clock } = context;
  const setAudio = createSetAudio(context);

  return async (webSocket, pace, token) => {
    const grant = await openLoginToken(context, token);
    if (typeof grant === 'string') return refuse(webSocket, CLOSE.badToken);
    // While the installation is paused, a call would wait for a worker, and its caller would not know why.
    if ((await findPause(db)) !== undefined) return refuse(webSocket, CLOSE.unchecked);
    if (sessions.size >= webClientsMax) return refuse(webSocket, CLOSE.tooManySockets);
    const { ledgerId, webClientId, tenantId, browser } = grant;
    const away = await keys?.findAway([ledgerId]);
    if (away?.has(ledgerId)) return refuse(webSocket, CLOSE.unchecked);
    if (browser !== undefined && (await isEnded(keys, { ledgerId, keyId: browser.id }))) {
      return refuse(webSocket, CLOSE.badToken);
    }
    const ledger = await findLedger(db, ledgerId);
    const session: WebClientSession = { ledgerId, webClientId, sessionId: randomUUID(), nodeId };
    const expiresAtMs = Math.min(clock.now() + SESSION_MS_MAX, browser?.ends ?? Number.POSITIVE_INFINITY);
    if (ledger === undefined) return refuse(webSocket, CLOSE.badToken);
    if (webSocket.readyState !== webSocket.OPEN) return undefined;
    const connected = createConnectedSession(context, {
      webSocket,
      session,
      ledger,
      tenantId,
      browser,
      exchange,
      audio,
      setAudio,
      pace,
      expiresAtMs,
    });
    sessions.add(connected);
    webSocket.on('close', () =>
      ignoreError(sessions.forget(db, session), log, 'an abandoned session is stale within seconds'),
    );
    if (!(await openSession(db, session))) return refuse(webSocket, CLOSE.badToken);
    connected.isOpened = true;
    // The socket may have closed during the insert: the row must not outlive it.
    if (webSocket.readyState !== webSocket.OPEN) await closeSession(db, session);
    // Both nodes read the database again. The node that had the web client finds that the web client is replaced. This
    // node ignored signals during the insert, and now reads the changes since then.
    wakeWebClient(db, session);
    await connected.start();
    return connected;
  };
}

async function isEnded(keys: KeyWatch | undefined, session: { ledgerId: number; keyId: string }): Promise<boolean> {
  return keys !== undefined && (await keys.findEnded([session])).size > 0;
}

function refuse(webSocket: WebSocket, reason: CloseReason): undefined {
  closeSocket(webSocket, reason);
}
