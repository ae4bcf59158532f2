/**
 * Renews the sessions of this process in the database. Closes revoked and replaced sessions, and sends the others the
 * changes of their calls.
 */
import type { Context } from '../../context.ts';
import type { KeyWatch } from '../../domain/accounts/index.ts';
import { listLiveLegs, readSessionState, renewSessions } from '../../domain/voice/index.ts';
import { CLOSE } from '../../http/sockets/close-codes.ts';
import { coalesce } from '../../lib/concurrency/coalesce.ts';
import { allThenThrow } from '../../lib/errors/all-then-throw.ts';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every } from '../../lib/time/time.ts';
import type { ConnectedSession, SessionList } from './connected-session.ts';
import { onWebClientSignal } from './signals.ts';

export type SessionWatchOptions = {
  readonly sessions: SessionList;
  readonly nodeId: string;
  readonly heartbeatMs: number;
  readonly keys?: KeyWatch | undefined;
};

/**
 * Checks a session after each signal to its web client. In case a signal was lost, each heartbeat renews all sessions
 * and reads their legs, with one statement each.
 */
export function watchSessions(
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  { sessions, nodeId, heartbeatMs, keys }: SessionWatchOptions,
): { stop(): void } {
  const check = async (connected: ConnectedSession): Promise<void> => {
    const state = await readSessionState(db, connected.session);
    if (state === 'revoked') await connected.revoke();
    else if (state === 'replaced') connected.close(CLOSE.replaced);
    else connected.refresh();
  };
  const checkAll = (list: Iterable<ConnectedSession>) => {
    for (const connected of list) {
      // A login that is storing its session signals the web client when it is done.
      if (connected.isOpened) ignoreError(check(connected), log, 'the heartbeat checks again');
    }
  };
  const catchUp = async (list: readonly ConnectedSession[]) => {
    const legs = await listLiveLegs(
      db,
      list.map(({ session }) => session),
    );
    for (const [index, connected] of list.entries()) connected.refresh(legs[index] ?? []);
  };

  onWebClientSignal(bus, (webClient) => checkAll(sessions.ofWebClient(webClient)));
  bus.onGap(() => checkAll(sessions.all()));

  /** Ends the logins of revoked browser sessions. If a session has only expired, its call may end first. */
  const checkBrowsers = coalesce(async () => {
    const logins = [...sessions.all()].filter((session) => session.browserSessionId !== null && !session.hasExpired());
    if (keys === undefined || logins.length === 0) return;
    const ended = await keys.findEnded(
      logins.map(({ session, browserSessionId }) => ({
        ledgerId: session.ledgerId,
        keyId: browserSessionId as string,
      })),
    );
    const revoked = logins.filter(({ browserSessionId }) => ended.has(browserSessionId as string));
    await allThenThrow(revoked.map((connected) => connected.revoke()));
  });

  const checkMoved = coalesce(() => closeMoved(keys, [...sessions.all()]));
  keys?.onEnded(() => {
    ignoreError(checkBrowsers(), log, 'the heartbeat checks again');
    ignoreError(checkMoved(), log, 'the heartbeat checks again');
  });

  /** Coalesced, so that heartbeats do not overlap even if the database is slow. */
  const beat = coalesce(async () => {
    const current = [...sessions.all()];
    for (const connected of current) if (connected.isExpired()) connected.close(CLOSE.sessionExpired);
    if (current.length === 0) return;
    const renewed = await renewSessions(
      db,
      nodeId,
      current.map(({ session }) => session.sessionId),
    );
    await checkBrowsers();
    await checkMoved();
    checkAll(current.filter(({ session }) => !renewed.has(session.sessionId)));
    await catchUp(current.filter(({ session }) => renewed.has(session.sessionId)));
  });
  const heartbeat = every(heartbeatMs, () =>
    ignoreError(beat(), log, 'web clients stay connected without the database; the next heartbeat renews them'),
  ).unref();

  return { stop: () => heartbeat.cancel() };
}

/** Closes the sessions of ledgers that have moved to another database, where their web clients log in again. */
async function closeMoved(keys: KeyWatch | undefined, list: readonly ConnectedSession[]): Promise<void> {
  if (keys === undefined || list.length === 0) return;
  const away = await keys.findAway([...new Set(list.map(({ session }) => session.ledgerId))]);
  for (const connected of list) if (away.has(connected.session.ledgerId)) connected.close(CLOSE.unchecked);
}
