import type { ClientMessage } from './protocol.ts';
import { callsForHelp } from './requests.ts';

const MESSAGES_PER_S = 20;
const BURST = 60;

/** How many messages one seat may send: 20 a second, 60 at once. Help can always be called. */
export function createAllowance(nowMs: () => number = () => performance.now()) {
  let left = BURST;
  let atMs = nowMs();
  return {
    allows: (message: ClientMessage): boolean => {
      if (callsForHelp(message)) return true;
      const now = nowMs();
      left = Math.min(BURST, left + ((now - atMs) / 1000) * MESSAGES_PER_S);
      atMs = now;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
