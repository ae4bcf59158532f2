/** A bound on concurrent work. Work beyond it waits in order, for a limited time and in limited number. */
export type Slots = {
  /** Resolves with true once a slot is taken, with false if none came free in time or too many wait already. */
  take(): Promise<boolean>;
  /** Gives a slot back. */
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
  // In the order of their arrival.
  const waiting = new Set<Waiter>();

  const wait = (): Promise<boolean> =>
    new Promise((resolve) => {
      const waiter: Waiter = {
        untilMs: performance.now() + waitMsMax,
        end: (hasSlot) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          resolve(hasSlot);
        },
      };
      const timer = setTimeout(() => waiter.end(false), waitMsMax);
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
        // After a stop of the process timers are late: work that has waited too long gets no slot.
        const isInTime = performance.now() <= next.untilMs;
        next.end(isInTime);
        // The slot passes on without being free in between.
        if (isInTime) return;
      }
      inUse--;
    },
    inUse: () => inUse,
  };
}
