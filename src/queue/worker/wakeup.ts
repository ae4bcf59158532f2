import type { Bus } from '../../db/bus.ts';
import type { Database } from '../../db/database.ts';
import { QUEUES } from '../jobs/job.ts';
import { toWake, WAKE_TOPICS, wake } from './wake.ts';

const CHANNEL = 'wake';

/**
 * Makes this process' workers and those of the others wake each other: signals about jobs and lanes go out over the
 * bus, and those of others are raised here. After a gap in the bus everything here is woken.
 * @param laneKinds kinds of lanes that are worked on here
 */
export function linkWakeups({ db, bus, laneKinds }: { db: Database; bus: Bus; laneKinds: readonly string[] }): void {
  // Listeners are called within `signal`, so what is raised on behalf of another process is known by this.
  let relaying = false;
  const relay = (raise: () => void) => {
    relaying = true;
    try {
      raise();
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
