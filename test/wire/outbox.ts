/** The events that the wire carrier has to report, kept until the receiver has taken them. */
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { Database, Db, Tx } from '../../src/db/database.ts';
import type { Timer } from '../../src/lib/time/time.ts';
import { time, timeoutSignal } from '../support/emulator-time.ts';
import { delayOf } from '../support/fault-rules.ts';
import { sql } from '../support/jobs.ts';
import { signReport } from '../support/reporting-carrier.ts';
import type { Faults } from './faults.ts';
import { encode } from './protocol.ts';

const TABLE = `create table wire_outbox (
  id bigint generated always as identity primary key,
  key text not null,
  ledger text not null,
  event json not null,
  copies integer not null,
  -- False: later ones with the same key overtake it.
  in_order boolean not null,
  -- Milliseconds of the epoch, of the emulator's time.
  due_ms float8 not null,
  attempts integer not null default 0,
  done boolean not null default false
);
create index wire_outbox_waiting on wire_outbox (key, id) where not done;`;

// The first attempts of events about one subject are made in order. A failed attempt delays no other event, as at most
// carriers.
const DUE = `select id::text as id, key, ledger, event, copies, attempts from wire_outbox o
  where not done and due_ms <= $1 and not exists (
    select 1 from wire_outbox e where e.key = o.key and e.id < o.id and not e.done and e.in_order and e.attempts = 0)
  order by o.id limit 64`;
const NEXT = 'select min(due_ms) as "dueMs" from wire_outbox where not done and due_ms > $1';
const LEFT = 'select count(*) from wire_outbox where not done';

type Row = {
  readonly id: string;
  readonly key: string;
  readonly ledger: string;
  readonly event: CarrierEvent;
  readonly copies: number;
  readonly attempts: number;
};

const SIGNAL = 'wire.outbox';
const ATTEMPT_MS = 5_000;
const RETRY_MS = { first: 100, max: 2_000 };
const DRAINED_WITHIN_MS = 10_000;

export type Outbox = {
  /** Sets where events are posted to. Without an address they wait. */
  postTo(address: string): void;
  /** Stores events in the transaction that causes them. */
  keep(tx: Tx, ledger: string, events: readonly CarrierEvent[]): Promise<void>;
  /** Resolves once every event has been taken, or is lost by a fault. Fails after 10 s. */
  drained(): Promise<void>;
  /** Ends the posting. Resolves once no event is being posted. */
  close(): Promise<void>;
};

/** Opens the outbox in a new database, and starts posting. */
export async function openOutbox(
  db: Database,
  { secret, faults }: { secret: string; faults: Faults },
): Promise<Outbox> {
  await sql(db, TABLE);
  let address: string | undefined;
  let change = Promise.withResolvers<void>();
  const noteChange = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const post = async (row: Row): Promise<void> => {
    const isTaken = await attempt(`${address}`, secret, row);
    const againMs = Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** row.attempts);
    const move = 'update wire_outbox set attempts = attempts + 1, done = $2, due_ms = $3 where id = $1';
    await sql(db, move, [row.id, isTaken, time.now() + againMs]);
    noteChange();
  };
  /** Posts the due events. Resolves with the due time of the next one; undefined if none waits. */
  const look = async (): Promise<number | undefined> => {
    for (;;) {
      const nowMs = time.now();
      const due = address === undefined ? [] : await sql<Row>(db, DUE, [nowMs]);
      if (due.length === 0) return (await sql<{ dueMs: number | null }>(db, NEXT, [nowMs]))[0]?.dueMs ?? undefined;
      await Promise.all(due.map(post));
    }
  };
  const looking = repeat(look);
  db.onSignal(({ topic }) => {
    if (topic === SIGNAL) looking.wake();
  });
  return {
    postTo: (next) => {
      address = next;
      looking.wake();
    },
    keep: async (tx, ledger, events) => {
      for (const event of events) await keep(tx, { ledger, event, faults });
      tx.signal({ topic: SIGNAL });
    },
    drained: async () => {
      const deadlineMs = time.monotonicMs() + DRAINED_WITHIN_MS;
      const limit = time.after(DRAINED_WITHIN_MS, noteChange);
      for (;;) {
        // Read before the count, so that no change is missed.
        const { promise: nextChange } = change;
        const [left] = await sql<{ count: number }>(db, LEFT);
        if (left?.count === 0) return limit.cancel();
        if (time.monotonicMs() >= deadlineMs) throw new Error(`${left?.count} events are not taken`);
        await nextChange;
      }
    },
    close: () => looking.end(),
  };
}

async function keep(tx: Db, { ledger, event, faults }: { ledger: string; event: CarrierEvent; faults: Faults }) {
  const fault = faults.ofEvent(event.type);
  const isLate = fault?.is === 'delay' || fault?.is === 'disorder';
  const insert = `insert into wire_outbox (key, ledger, event, copies, in_order, due_ms, done)
    values ($1, $2, $3::json, $4, $5, $6, $7)`;
  await sql(tx, insert, [
    keyOf(event),
    ledger,
    encode(event),
    fault?.is === 'duplicate' ? 2 : 1,
    fault?.is !== 'disorder',
    time.now() + (fault !== undefined && isLate ? delayOf(fault) : 0),
    fault?.is === 'lose',
  ]);
}

/**
 * Returns the subject of an event. The texts of one person to one number share a subject, and so do the events of a
 * number.
 */
function keyOf(event: CarrierEvent): string {
  if ('callRef' in event) return event.callRef;
  if ('phoneNumber' in event) return event.phoneNumber;
  return event.type === 'message.received' ? `${event.from} ${event.to}` : event.ref;
}

/** Posts an event once per copy. Resolves with true if the receiver accepted it. */
async function attempt(address: string, secret: string, { id, key, ledger, event, copies }: Row): Promise<boolean> {
  const body = encode({ id: `wire-${id}`, key, ledger, event });
  let isTaken = true;
  for (let copy = 0; copy < copies; copy++) {
    const [headers, signal] = [signReport(secret, body, time.now()), timeoutSignal(ATTEMPT_MS)];
    try {
      const reply = await fetch(address, { method: 'POST', body, headers, signal });
      await reply.arrayBuffer();
      isTaken &&= reply.ok;
    } catch {
      // The product may be stopped: the next attempt follows.
      isTaken = false;
    }
  }
  return isTaken;
}

/** Runs `look` when it is woken and at the moment that its last run has returned, one run at a time. */
function repeat(look: () => Promise<number | undefined>): { wake(): void; end(): Promise<void> } {
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isOver = false;
  let timer: Timer | undefined;
  const run = async (): Promise<void> => {
    let dueMs: number | undefined;
    while (isWoken) {
      isWoken = false;
      dueMs = await look();
    }
    looking = undefined;
    if (dueMs !== undefined && !isOver) timer = time.after(Math.max(0, dueMs - time.now()), wake);
  };
  const wake = (): void => {
    if (isOver) return;
    timer?.cancel();
    isWoken = true;
    looking ??= run();
  };
  return {
    wake,
    end: async () => {
      isOver = true;
      timer?.cancel();
      await looking;
    },
  };
}
