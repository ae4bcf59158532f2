import type { Logger } from 'pino';
import type { KeyWatch } from '../domain/accounts/index.ts';
import type { RealtimeGrant } from '../domain/events/index.ts';
import { CLOSE } from './close-codes.ts';
import type { Hub } from './hub.ts';

/** A revocation has 5 s to be felt everywhere, and the message that tells of it may be lost. */
const CHECK_EVERY_MS = 2_000;

export type KeyCheck = {
  /** Why a client with this grant may not come in now, if so. */
  refusalOf(grant: RealtimeGrant): Promise<readonly [code: number, reason: string] | undefined>;
  stop(): void;
};

/** Closes the sockets of keys that end, as soon as that is known and otherwise within seconds. */
export function startKeyCheck(keys: KeyWatch, hub: Hub, log: Logger): KeyCheck {
  let running = false;
  let again = false;

  const check = async () => {
    const grants = new Map([...hub.sockets].map(({ grant }) => [grant.keyId, grant]));
    if (grants.size === 0) return;
    const ended = await keys.findEnded([...grants.values()]);
    for (const socket of [...hub.sockets]) if (ended.has(socket.grant.keyId)) socket.close(CLOSE.badToken);
  };

  const run = async () => {
    again = running;
    if (running) return;
    running = true;
    try {
      await check();
    } catch (error) {
      log.debug({ err: error }, 'keys of realtime sockets could not be checked; the next check is due soon');
    }
    running = false;
    if (again) void run();
  };

  keys.onEnded(() => void run());
  const timer = setInterval(() => void run(), CHECK_EVERY_MS).unref();
  return {
    refusalOf: async (grant) => {
      try {
        return (await keys.findEnded([grant])).has(grant.keyId) ? CLOSE.badToken : undefined;
      } catch (error) {
        log.debug({ err: error }, 'the key of a realtime token could not be checked');
        return CLOSE.unchecked;
      }
    },
    stop: () => clearInterval(timer),
  };
}
