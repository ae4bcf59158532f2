import type { Logger } from 'pino';
import type { KeyWatch } from '../domain/accounts/index.ts';
import type { RealtimeGrant } from '../domain/events/index.ts';
import { CLOSE, type EventSocketReason } from '../http/sockets/close-codes.ts';
import { coalesce } from '../lib/concurrency/coalesce.ts';
import { every } from '../lib/time/time.ts';
import type { Hub } from './hub.ts';

/** A revocation takes effect on every node within 5 s, even if its notification is lost. */
const CHECK_EVERY_MS = 2_000;

export type KeyCheck = {
  /** The reason to refuse a client with this grant; undefined if it may connect. */
  refusalOf(grant: RealtimeGrant): Promise<EventSocketReason | undefined>;
  stop(): void;
};

const ledgersOf = (grants: ReadonlyMap<string, RealtimeGrant>) => [
  ...new Set([...grants.values()].map(({ ledgerId }) => ledgerId)),
];

/**
 * Closes the sockets of ended keys, and of ledgers that have moved to another database: when a notification arrives,
 * and otherwise within 2 s.
 */
export function startKeyCheck(keys: KeyWatch, hub: Hub, log: Logger): KeyCheck {
  const check = async () => {
    const grants = new Map([...hub.sockets].map(({ grant }) => [grant.keyId, grant]));
    if (grants.size === 0) return;
    const [ended, away] = await Promise.all([keys.findEnded([...grants.values()]), keys.findAway(ledgersOf(grants))]);
    for (const socket of [...hub.sockets]) {
      if (away.has(socket.grant.ledgerId)) socket.close(CLOSE.unchecked);
      else if (ended.has(socket.grant.keyId)) socket.close(CLOSE.badToken);
    }
  };

  const run = coalesce(async () => {
    try {
      await check();
    } catch (error) {
      log.debug({ err: error }, 'keys of realtime sockets could not be checked; they are checked again within 2 s');
    }
  });

  keys.onEnded(() => void run());
  const timer = every(CHECK_EVERY_MS, () => void run()).unref();
  return {
    refusalOf: async (grant) => {
      try {
        if ((await keys.findAway([grant.ledgerId])).size > 0) return CLOSE.unchecked;
        return (await keys.findEnded([grant])).has(grant.keyId) ? CLOSE.badToken : undefined;
      } catch (error) {
        log.debug({ err: error }, 'the key of a realtime token could not be checked; the socket is closed');
        return CLOSE.unchecked;
      }
    },
    stop: () => timer.cancel(),
  };
}
