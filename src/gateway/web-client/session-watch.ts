/** Renews the sessions of this process in the database, and closes those that were revoked or replaced. */
import type { Context } from '../../context.ts';
import { readSessionState, renewSessions } from '../../domain/voice/index.ts';
import { CLOSE } from '../../http/sockets/close-codes.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { ConnectedSession, SessionList } from './connected-session.ts';
import { onWebClientSignal } from './signals.ts';

export type SessionWatchOptions = {
  readonly sessions: SessionList;
  readonly nodeId: string;
  readonly heartbeatMs: number;
};

/** Checks a session when its web client is signalled, and renews all sessions with each heartbeat. */
export function watchSessions(
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  { sessions, nodeId, heartbeatMs }: SessionWatchOptions,
): { stop(): void } {
  const check = async (connected: ConnectedSession): Promise<void> => {
    const state = await readSessionState(db, connected.session);
    if (state === 'revoked') await connected.revoke();
    else if (state === 'replaced') connected.close(CLOSE.replaced);
    else connected.refresh();
  };
  const checkAll = (list: Iterable<ConnectedSession>) => {
    for (const connected of list) ignoreError(check(connected), log, 'the heartbeat checks again');
  };

  onWebClientSignal(bus, (webClient) => checkAll(sessions.ofWebClient(webClient)));
  bus.onGap(() => checkAll(sessions.all()));

  /** Coalesced: beats do not overlap, however slow the database is. */
  const beat = coalesce(async () => {
    const current = [...sessions.all()];
    for (const connected of current) if (connected.isExpired()) connected.close(CLOSE.sessionExpired);
    if (current.length === 0) return;
    const renewed = await renewSessions(
      db,
      nodeId,
      current.map(({ session }) => session.sessionId),
    );
    checkAll(current.filter(({ session }) => !renewed.has(session.sessionId)));
  });
  const heartbeat = setInterval(
    () => ignoreError(beat(), log, 'web clients stay connected without the database; the next heartbeat renews them'),
    heartbeatMs,
  ).unref();

  return { stop: () => clearInterval(heartbeat) };
}
