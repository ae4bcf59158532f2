import type { Received, Receiver, Script } from '../support/receiver.ts';

/** One arrival at a receiver, with its answer. */
type Arrival = {
  eventId: string;
  resourceId: string;
  sequence: number;
  atMs: number;
  answeredAtMs: number;
  ok: boolean;
};

export type OrderWatch = {
  /** Ids of the events that were answered with a 2xx. */
  taken(): Set<string>;
  arrivals(): number;
  /** Arrivals out of order, as sentences. */
  violations(): string[];
};

/** Makes the receiver answer by `behave`, and records each arrival and the time of its answer. */
export function watchOrder(receiver: Receiver, behave: (delivery: Received, times: number) => Script): OrderWatch {
  const arrivals: Arrival[] = [];
  const times = new Map<string, number>();
  receiver.answer((delivery) => {
    const { id: eventId, resource_id: resourceId, sequence } = delivery.event;
    const seen = (times.get(eventId) ?? 0) + 1;
    times.set(eventId, seen);
    const script = behave(delivery, seen);
    const answeredAtMs = delivery.atMs + (script.delayMs ?? 0);
    const ok = (script.status ?? 200) < 300;
    arrivals.push({ eventId, resourceId, sequence, atMs: delivery.atMs, answeredAtMs, ok });
    return script;
  });
  return {
    taken: () => new Set(arrivals.filter(({ ok }) => ok).map(({ eventId }) => eventId)),
    arrivals: () => arrivals.length,
    violations: () => [...Map.groupBy(arrivals, ({ resourceId }) => resourceId).values()].flatMap(judge),
  };
}

/** Timers may fire this much before their time by the clock. */
const TIMER_SLACK_MS = 2;

/**
 * Returns the order violations of one resource. An event may arrive once the previous one has been answered with a 2xx,
 * its first arrival must not follow a later event, and its sequence number must be unique. Repeats may arrive at any
 * time: a killed sender has not recorded every accepted delivery.
 */
function judge(arrivals: readonly Arrival[]): string[] {
  const found: string[] = [];
  const okAtMs = new Map<number, number>();
  const idOf = new Map<number, string>();
  let highest = 0;
  for (const { eventId, resourceId, sequence, atMs, answeredAtMs, ok } of arrivals) {
    const what = `${resourceId} ${sequence}`;
    if (sequence < highest && !idOf.has(sequence)) found.push(`${what} came after ${highest}`);
    if (sequence > 1 && !((okAtMs.get(sequence - 1) ?? Number.POSITIVE_INFINITY) <= atMs + TIMER_SLACK_MS)) {
      found.push(`${what} came before ${sequence - 1} was taken`);
    }
    if ((idOf.get(sequence) ?? eventId) !== eventId) found.push(`${what} has two ids`);
    idOf.set(sequence, eventId);
    highest = Math.max(highest, sequence);
    if (ok && !okAtMs.has(sequence)) okAtMs.set(sequence, answeredAtMs);
  }
  return found;
}
