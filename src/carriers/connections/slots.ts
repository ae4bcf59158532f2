/** Limits concurrent work. More work waits in order. The time and the number of waits are limited too. */
import { after, monotonicMs } from '../../lib/time/time.ts';
export type Slots = {
  /**
   * Resolves with true when a slot is taken. Resolves with false if no slot became free in time, or too many are
   * waiting.
   */
  take(): Promise<boolean>;
  /** Releases a slot. */
  leave(): void;
  inUse(): number;
};

type SlotsOptions = { readonly slotsMax: number; readonly waitingMax: number; readonly waitMsMax: number };

type Waiter = {
  readonly untilMs: number;
  /** Ends the wait, with or without a slot. */
  end(hasSlot: boolean): void;
};

export function createSlots({ slotsMax, waitingMax, waitMsMax }: SlotsOptions): Slots {
  let inUse = 0;
  // The waiters in the order of their arrival.
  const waiting = new Set<Waiter>();

  const wait = (): Promise<boolean> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        untilMs: monotonicMs() + waitMsMax,
        end: (hasSlot) => {
          timer.cancel();
          waiting.delete(waiter);
          resolve(hasSlot);
        },
      };
      const timer = after(waitMsMax, () => waiter.end(false));
      waiting.add(waiter);
    });

  return {
    take: async () => {
      if (inUse < slotsMax) {
        inUse++;
        return true;
      }
      return waiting.size < waitingMax && (await wait());
    },
    leave: () => {
      for (const next of waiting) {
        // Timers are late after the process was stopped. Work that has waited too long gets no slot.
        const isInTime = monotonicMs() <= next.untilMs;
        next.end(isInTime);
        // The slot passes directly to the next waiter.
        if (isInTime) return;
      }
      inUse--;
    },
    inUse: () => inUse,
  };
}
