import type { Db, Signal } from '../../db/database.ts';

/** Signal topics: `jobs` names a queue, `lanes` a kind of lane. */
export const WAKE_TOPICS = ['jobs', 'lanes'] as const;
export type WakeTopic = (typeof WAKE_TOPICS)[number];

/** What a wake-up is about, and in how many milliseconds there will be something to do. */
export type Wake = { readonly topic: WakeTopic; readonly name: string; readonly delayMs: number };

/**
 * Tells workers that a queue (or kind of lane) has work, now or in `delayMs`. Within a transaction it is passed on
 * after the commit. The payload is the bare name when the work is due.
 */
export function wake(db: Db, topic: WakeTopic, name: string, delayMs = 0): void {
  db.signal({ topic, payload: delayMs > 0 ? { name, delayMs } : name });
}

/** The wake-up a signal stands for, or undefined if it is about something else. */
export function toWake(signal: Signal): Wake | undefined {
  const topic = WAKE_TOPICS.find((known) => known === signal.topic);
  if (topic === undefined) return undefined;
  const { payload } = signal;
  if (typeof payload === 'string') return { topic, name: payload, delayMs: 0 };
  if (typeof payload !== 'object' || payload === null || !('name' in payload)) return undefined;
  const delayMs = 'delayMs' in payload ? Number(payload.delayMs) : 0;
  return { topic, name: String(payload.name), delayMs };
}
