/** The order and the limits of one web client's requests. */
import { isEmergencyNumber } from '../../lib/phone/emergency.ts';
import type { ClientMessage } from './protocol.ts';

export type Request = Exclude<ClientMessage, { type: 'register' }>;

/** The most ordinary requests that may wait. */
export const WAITING_MAX = 200;
/** The most emergency calls of one web client that are dialled concurrently. Further ones wait; none is refused. */
export const EMERGENCIES_MAX = 4;
/** If more emergency calls than this are waiting, the client's socket is not read. */
export const EMERGENCIES_WAITING_MAX = 100;

/** True for a `place` to 911 or 933: no limit applies to it. */
export function isEmergencyCall(message: ClientMessage): boolean {
  return message.type === 'place' && isEmergencyNumber(message.to);
}

export type RequestQueue = {
  /**
   * Adds a request. Returns false, and drops the request, if too many are waiting. Always true for an emergency call.
   */
  add(request: Request): boolean;
};

export type RequestQueueOptions = {
  /** Carries out a request. Must not reject. */
  readonly run: (request: Request) => Promise<void>;
  /** Called with true when the emergency queue is full, with false when it has room again. */
  readonly onFull: (isFull: boolean) => void;
};

/** Creates a queue that runs requests one after another. An emergency call waits only for other emergency calls. */
export function createRequestQueue({ run, onFull }: RequestQueueOptions): RequestQueue {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const emergencies: Request[] = [];
  let emergenciesRunning = 0;

  const runNextEmergency = () => {
    if (emergenciesRunning >= EMERGENCIES_MAX) return;
    const request = emergencies.shift();
    if (request === undefined) return;
    if (emergencies.length < EMERGENCIES_WAITING_MAX) onFull(false);
    emergenciesRunning += 1;
    void run(request).finally(() => {
      emergenciesRunning -= 1;
      runNextEmergency();
    });
  };

  return {
    add: (request) => {
      if (isEmergencyCall(request)) {
        emergencies.push(request);
        if (emergencies.length >= EMERGENCIES_WAITING_MAX) onFull(true);
        runNextEmergency();
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
