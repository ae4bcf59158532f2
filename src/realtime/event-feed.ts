import type { Context } from '../context.ts';
import { type CommittedEvent, EVENTS_TOPIC } from '../domain/events/index.ts';
import { packRefs, unpackRefs } from './event-refs.ts';
import type { Hub } from './hub.ts';
import { type EventRef, loadEvents } from './queries.ts';

const CHANNEL = 'events';

/** Events handed on in one go; between goes other work of the process has its turn and sockets can drain. */
const EVENTS_PER_TURN = 64;
const LOAD_MAX = 500;
/** References waiting to be loaded; beyond it the oldest are dropped, as the socket is a refresh signal. */
const WANTED_MAX = 20_000;
/** How many loaded events are remembered, so that a notification sent twice shows nothing twice. */
const SEEN_MAX = 20_000;

/**
 * Brings committed events to the hub: those of this process straight from memory, those of others by references over
 * the bus, loaded in one query and only where a socket may see them.
 */
export function startEventFeed({ db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>, hub: Hub): void {
  const committed: CommittedEvent[] = [];
  const wanted: EventRef[] = [];
  const seen = new Set<string>();
  let turnIsDue = false;
  let loading = false;

  const takeTurn = () => {
    const events = committed.splice(0, EVENTS_PER_TURN);
    turnIsDue = committed.length > 0;
    if (turnIsDue) setImmediate(takeTurn);
    hub.deliver(events);
    const refs = events.map(({ ledgerId, envelope }) => ({ ledgerId, id: envelope.id }));
    for (const message of packRefs(refs)) bus.publish(CHANNEL, message);
  };

  db.onSignal(({ topic, payload }) => {
    if (topic !== EVENTS_TOPIC) return;
    committed.push(...(payload as CommittedEvent[]));
    if (turnIsDue) return;
    turnIsDue = true;
    // Not at once: the request that committed answers first, and events that come together go out together.
    setImmediate(takeTurn);
  });

  const load = async () => {
    loading = true;
    while (wanted.length > 0) {
      const refs = wanted.splice(0, LOAD_MAX);
      try {
        hub.deliver(await loadEvents(db, refs));
      } catch (error) {
        log.warn({ err: error, events: refs.length }, 'events of other processes could not be loaded for sockets');
      }
    }
    loading = false;
  };

  bus.subscribe(CHANNEL, (message, remote) => {
    // What this process committed has been delivered from memory.
    if (!remote) return;
    for (const ref of unpackRefs(message)) {
      if (!hub.hasLedger(ref.ledgerId) || seen.has(ref.id)) continue;
      seen.add(ref.id);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value as string);
      wanted.push(ref);
    }
    if (wanted.length > WANTED_MAX) {
      const dropped = wanted.splice(0, wanted.length - WANTED_MAX);
      log.warn({ events: dropped.length }, 'sockets fall behind other processes; the oldest events are left out');
    }
    if (!loading) void load();
  });
}
