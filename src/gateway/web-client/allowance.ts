import { createBucket } from './bucket.ts';
import type { ClientMessage } from './protocol.ts';
import type { Unfit } from './read-message.ts';
import { callsForHelp } from './requests.ts';

const LIMIT = { perS: 20, atOnce: 60 };

/** How many messages one web client may send: 20 a second, 60 at once. Help can always be called. */
export function createAllowance(nowMs?: () => number) {
  const bucket = createBucket(LIMIT, nowMs);
  return {
    allows: (message: ClientMessage | Unfit): boolean =>
      (!('unfit' in message) && callsForHelp(message)) || bucket.take(),
  };
}
