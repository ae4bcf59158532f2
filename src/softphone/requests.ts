/** In which order the requests of one seat are done, and how many may wait. */
import { isEmergencyNumber } from '../lib/emergency.ts';
import type { ClientMessage } from './protocol.ts';

export type Request = Exclude<ClientMessage, { type: 'register' }>;

/** Ordinary requests that may wait for those before them. */
export const WAITING_MAX = 200;
/** Calls for help that are being placed for one seat at a time. */
export const EMERGENCIES_MAX = 4;

/** True for a message that nothing may stand in the way of. */
export function callsForHelp(message: ClientMessage): boolean {
  return message.type === 'place' && isEmergencyNumber(message.to);
}

export type Requests = {
  /** False where too many wait; it is not done then. */
  take(request: Request): boolean;
};

/**
 * Does requests one after another. A call for help waits for none of them.
 * @param run must not reject
 */
export function createRequests(run: (request: Request) => Promise<void>): Requests {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  let emergencies = 0;
  return {
    take: (request) => {
      if (callsForHelp(request)) {
        if (emergencies >= EMERGENCIES_MAX) return false;
        emergencies += 1;
        void run(request).finally(() => {
          emergencies -= 1;
        });
        return true;
      }
      if (waiting >= WAITING_MAX) return false;
      waiting += 1;
      last = last
        .then(() => run(request))
        .finally(() => {
          waiting -= 1;
        });
      return true;
    },
  };
}
