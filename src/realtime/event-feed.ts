import type { Context } from '../context.ts';
import { type CommittedEvent, EVENTS_TOPIC } from '../domain/events/index.ts';
import { packRefs, unpackRefs } from './event-refs.ts';
import type { Hub } from './hub.ts';
import { type EventRef, loadEvents } from './queries.ts';

const CHANNEL = 'events';

/** Events delivered in one batch. Between batches other work of the process runs, and sockets drain. */
const BATCH_MAX = 64;
const LOAD_MAX = 500;
/** References that may wait to be loaded. Beyond it the oldest are dropped: the socket is a refresh signal. */
const WANTED_MAX = 20_000;
/** Loaded events that are remembered, so that a repeated notification delivers nothing twice. */
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
    // Deferred: the request that committed is answered first, and events that arrive together are sent together.
    setImmediate(deliverBatch);
  });

  const load = async () => {
    loading = true;
    while (wanted.length > 0) {
      const refs = wanted.splice(0, LOAD_MAX);
      try {
        hub.deliver(await loadEvents(db, refs));
      } catch (error) {
        log.warn({ err: error, events: refs.length }, 'could not load events of other processes; sockets miss them');
      }
    }
    loading = false;
  };

  bus.subscribe(CHANNEL, (message, remote) => {
    // Events of this process were delivered from memory.
    if (!remote) return;
    for (const ref of unpackRefs(message)) {
      if (!hub.hasLedger(ref.ledgerId) || seen.has(ref.id)) continue;
      seen.add(ref.id);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value as string);
      wanted.push(ref);
    }
    if (wanted.length > WANTED_MAX) {
      const dropped = wanted.splice(0, wanted.length - WANTED_MAX);
      log.warn({ events: dropped.length }, 'sockets fall behind other processes; dropped the oldest events');
    }
    if (!loading) void load();
  });
}
