/** Wake-ups: signals that tell workers, in this process and in others, that there is work. */
import type { Bus } from '../../db/bus.ts';
import type { Database, Db, Signal } from '../../db/database.ts';
import { QUEUES } from '../jobs/job.ts';

/** Signal topics: `jobs` names a queue, `lanes` a kind of lane. */
const WAKE_TOPICS = ['jobs', 'lanes'] as const;
export type WakeTopic = (typeof WAKE_TOPICS)[number];

/** The queue or kind of lane that has work, and in how many milliseconds. */
export type Wake = { readonly topic: WakeTopic; readonly name: string; readonly delayMs: number };

/**
 * Wakes the workers of a queue or kind of lane, now or in `delayMs`. Within a transaction the signal is sent after the
 * commit. The payload is the bare name if the work is due.
 */
export function wake(db: Db, topic: WakeTopic, name: string, delayMs = 0): void {
  db.signal({ topic, payload: delayMs > 0 ? { name, delayMs } : name });
}

/** Returns the wake-up that a signal carries, or undefined if its topic is another. */
export function toWake(signal: Signal): Wake | undefined {
  const topic = WAKE_TOPICS.find((known) => known === signal.topic);
  if (topic === undefined) return undefined;
  const { payload } = signal;
  if (typeof payload === 'string') return { topic, name: payload, delayMs: 0 };
  if (typeof payload !== 'object' || payload === null || !('name' in payload)) return undefined;
  const delayMs = 'delayMs' in payload ? Number(payload.delayMs) : 0;
  return { topic, name: String(payload.name), delayMs };
}

const CHANNEL = 'wake';

/**
 * Connects the wake-ups of all processes. Publishes the wake-ups of this process on the bus, and signals the wake-ups
 * of other processes here. After a gap in the bus it wakes all queues and lanes of this process.
 * @param laneKinds kinds of lanes that this process carries out
 */
export function linkWakeups({ db, bus, laneKinds }: { db: Database; bus: Bus; laneKinds: readonly string[] }): void {
  // True while this process signals a wake-up of another process: listeners run within `signal`.
  let relaying = false;
  const relay = (send: () => void) => {
    relaying = true;
    try {
      send();
    } finally {
      relaying = false;
    }
  };
  db.onSignal((signal) => {
    const sent = toWake(signal);
    if (sent === undefined || relaying) return;
    bus.publish(CHANNEL, `${sent.topic} ${sent.name} ${Math.ceil(sent.delayMs)}`);
  });
  bus.subscribe(CHANNEL, (payload, remote) => {
    if (!remote) return;
    const [topicText, name, delayMs] = payload.split(' ');
    const topic = WAKE_TOPICS.find((known) => known === topicText);
    if (topic !== undefined && name !== undefined) relay(() => wake(db, topic, name, Number(delayMs)));
  });
  bus.onGap(() =>
    relay(() => {
      for (const queue of QUEUES) wake(db, 'jobs', queue);
      for (const kind of laneKinds) wake(db, 'lanes', kind);
    }),
  );
}
