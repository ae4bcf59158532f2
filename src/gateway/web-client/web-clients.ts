import type { WebClientName, WebClientSession } from '../../domain/voice/index.ts';
import type { WebClient } from './web-client.ts';

const keyOf = ({ ledgerId, webClientId }: WebClientName) => `${ledgerId}:${webClientId}`;

/** The web clients that are logged in to this process. For a moment two sessions of one web client may be, until the older goes. */
export function createWebClients() {
  const byName = new Map<string, Set<WebClient>>();
  const bySession = new Map<string, WebClient>();

  return {
    get size(): number {
      return bySession.size;
    },
    all: (): Iterable<WebClient> => bySession.values(),
    named: (name: WebClientName): readonly WebClient[] => [...(byName.get(keyOf(name)) ?? [])],
    add: (webClient: WebClient): void => {
      const key = keyOf(webClient.session);
      byName.set(key, (byName.get(key) ?? new Set()).add(webClient));
      bySession.set(webClient.session.sessionId, webClient);
    },
    /** @returns false if it was not there */
    remove: (session: WebClientSession): boolean => {
      const webClient = bySession.get(session.sessionId);
      if (webClient === undefined) return false;
      bySession.delete(session.sessionId);
      const same = byName.get(keyOf(session));
      same?.delete(webClient);
      if (same?.size === 0) byName.delete(keyOf(session));
      return true;
    },
  };
}
