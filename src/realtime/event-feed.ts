import type { Context } from '../context.ts';
import { type CommittedEvent, EVENTS_TOPIC } from '../domain/events/index.ts';
import { packRefs, unpackRefs } from './event-refs.ts';
import type { Hub } from './hub.ts';
import { type EventRef, loadEvents } from './queries.ts';

const CHANNEL = 'events';

/**
 * Most events in one batch. Other work of the process runs between two batches, and sockets write out their buffers.
 */
const BATCH_MAX = 64;
/** Most events in one query. */
const LOAD_MAX = 500;
/**
 * Most references that wait to be loaded. Beyond it the oldest are dropped: a client reads missed events from the API.
 */
const WANTED_MAX = 20_000;
/** Most event ids that are remembered, so that a repeated notification delivers nothing twice. */
const SEEN_MAX = 20_000;

/**
 * Delivers committed events to the hub. Events of this process come from memory. Events of other processes come as
 * references over the bus, and are loaded in one query if a socket may see them.
 */
export function startEventFeed({ db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>, hub: Hub): void {
  const committed: CommittedEvent[] = [];
  const wanted: EventRef[] = [];
  const seen = new Set<string>();
  let isScheduled = false;
  let loading = false;

  const deliverBatch = () => {
    const events = committed.splice(0, BATCH_MAX);
    isScheduled = committed.length > 0;
    if (isScheduled) setImmediate(deliverBatch);
    hub.deliver(events);
    const refs = events.map(({ ledgerId, envelope }) => ({ ledgerId, id: envelope.id }));
    for (const message of packRefs(refs)) bus.publish(CHANNEL, message);
  };

  db.onSignal(({ topic, payload }) => {
    if (topic !== EVENTS_TOPIC) return;
    committed.push(...(payload as CommittedEvent[]));
    if (isScheduled) return;
    isScheduled = true;
    // Deferred, so that the request that committed gets its response first, and concurrent events share a batch.
    setImmediate(deliverBatch);
  });

  const load = async () => {
    loading = true;
    while (wanted.length > 0) {
      const refs = wanted.splice(0, LOAD_MAX);
      try {
        hub.deliver(await loadEvents(db, refs));
      } catch (error) {
        log.warn(
          { err: error, events: refs.length },
          'loading events of other processes failed; the sockets of this process miss these events',
        );
      }
    }
    loading = false;
  };

  bus.subscribe(CHANNEL, (message, remote) => {
    // Skips own events: this process has delivered them from memory.
    if (!remote) return;
    for (const ref of unpackRefs(message)) {
      if (!hub.hasLedger(ref.ledgerId) || seen.has(ref.id)) continue;
      seen.add(ref.id);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value as string);
      wanted.push(ref);
    }
    if (wanted.length > WANTED_MAX) {
      const dropped = wanted.splice(0, wanted.length - WANTED_MAX);
      log.warn({ events: dropped.length }, 'too many events of other processes wait to be loaded; dropped the oldest');
    }
    if (!loading) void load();
  });
}
