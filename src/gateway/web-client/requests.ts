/** In which order the requests of one web client are done, and how many may wait. */
import { isEmergencyNumber } from '../../lib/emergency.ts';
import type { ClientMessage } from './protocol.ts';

export type Request = Exclude<ClientMessage, { type: 'register' }>;

/** Ordinary requests that may wait for those before them. */
export const WAITING_MAX = 200;
/** Calls for help that are being placed for one web client at a time; further ones wait, and none is refused. */
export const EMERGENCIES_MAX = 4;
/** So many calls for help wait before the client is read no further. */
export const EMERGENCIES_WAITING_MAX = 100;

/** True for a message that nothing may stand in the way of. */
export function callsForHelp(message: ClientMessage): boolean {
  return message.type === 'place' && isEmergencyNumber(message.to);
}

export type Requests = {
  /** False where too many wait; it is not done then. Never false for a call for help. */
  take(request: Request): boolean;
};

export type RequestsOptions = {
  /** Must not reject. */
  readonly run: (request: Request) => Promise<void>;
  /** Told true when so many calls for help wait that no more should come for now, and false when they may again. */
  readonly onFull: (isFull: boolean) => void;
};

/** Does requests one after another. A call for help waits for none of them, but for other calls for help. */
export function createRequests({ run, onFull }: RequestsOptions): Requests {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const help: Request[] = [];
  let emergencies = 0;

  const placeNext = () => {
    if (emergencies >= EMERGENCIES_MAX) return;
    const request = help.shift();
    if (request === undefined) return;
    if (help.length < EMERGENCIES_WAITING_MAX) onFull(false);
    emergencies += 1;
    void run(request).finally(() => {
      emergencies -= 1;
      placeNext();
    });
  };

  return {
    take: (request) => {
      if (callsForHelp(request)) {
        help.push(request);
        if (help.length >= EMERGENCIES_WAITING_MAX) onFull(true);
        placeNext();
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
