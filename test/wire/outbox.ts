/** The events that the wire carrier has to report, kept until the receiver has taken them. */
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import type { Database, Db, Tx } from '../../src/db/database.ts';
import { delayOf } from '../support/fault-rules.ts';
import { sql, until } from '../support/jobs.ts';
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
  due_at timestamptz not null,
  attempts integer not null default 0,
  done boolean not null default false
);
create index wire_outbox_waiting on wire_outbox (key, id) where not done;`;

// First attempts about one thing go out in their order. One that failed holds up no other, as at most carriers.
const DUE = `select id::text as id, key, ledger, event, copies, attempts from wire_outbox o
  where not done and due_at <= clock_timestamp() and not exists (
    select 1 from wire_outbox e where e.key = o.key and e.id < o.id and not e.done and e.in_order and e.attempts = 0)
  order by o.id limit 64`;

type Row = {
  readonly id: string;
  readonly key: string;
  readonly ledger: string;
  readonly event: CarrierEvent;
  readonly copies: number;
  readonly attempts: number;
};

const SIGNAL = 'wire.outbox';
const LOOK_EVERY_MS = 25;
const ATTEMPT_MS = 5_000;
const RETRY_MS = { first: 100, max: 2_000 };

export type Outbox = {
  /** Where events are posted to; without an address they wait. */
  address: string | undefined;
  /** Keeps events in the transaction that they come of. */
  keep(tx: Tx, ledger: string, events: readonly CarrierEvent[]): Promise<void>;
  /** Resolves once every event has been taken, or is lost by a fault. */
  drained(): Promise<void>;
};

/** Opens the outbox in a new database, and starts posting. The process ends it. */
export async function openOutbox(
  db: Database,
  { secret, faults }: { secret: string; faults: Faults },
): Promise<Outbox> {
  await sql(db, TABLE);
  const outbox: Outbox = {
    address: undefined,
    keep: async (tx, ledger, events) => {
      for (const event of events) await keep(tx, { ledger, event, faults });
      tx.signal({ topic: SIGNAL });
    },
    drained: () =>
      until('every event is taken', async () => {
        const [left] = await sql<{ count: number }>(db, 'select count(*) from wire_outbox where not done');
        return left?.count === 0;
      }),
  };
  const post = async (row: Row): Promise<void> => {
    const isTaken = await attempt(`${outbox.address}`, secret, row);
    const againMs = Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** row.attempts);
    const move = `update wire_outbox set attempts = attempts + 1, done = $2,
      due_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000) where id = $1`;
    await sql(db, move, [row.id, isTaken, againMs]);
  };
  const look = async (): Promise<void> => {
    for (;;) {
      const due = outbox.address === undefined ? [] : await sql<Row>(db, DUE);
      if (due.length === 0) return;
      await Promise.all(due.map(post));
    }
  };
  repeat(db, look);
  return outbox;
}

async function keep(tx: Db, { ledger, event, faults }: { ledger: string; event: CarrierEvent; faults: Faults }) {
  const fault = faults.ofEvent(event.type);
  const isLate = fault?.is === 'delay' || fault?.is === 'disorder';
  const insert = `insert into wire_outbox (key, ledger, event, copies, in_order, due_at, done)
    values ($1, $2, $3::json, $4, $5, clock_timestamp() + make_interval(secs => $6::float8 / 1000), $7)`;
  await sql(tx, insert, [
    keyOf(event),
    ledger,
    encode(event),
    fault?.is === 'duplicate' ? 2 : 1,
    fault?.is !== 'disorder',
    fault !== undefined && isLate ? delayOf(fault) : 0,
    fault?.is === 'lose',
  ]);
}

/** Returns what an event is about. The texts of one person to one number are one thing, and so is a number. */
function keyOf(event: CarrierEvent): string {
  if ('callRef' in event) return event.callRef;
  if ('phoneNumber' in event) return event.phoneNumber;
  return event.type === 'message.received' ? `${event.from} ${event.to}` : event.ref;
}

/** Posts an event, as often as it has copies. Resolves with true if the receiver has taken it. */
async function attempt(address: string, secret: string, { id, key, ledger, event, copies }: Row): Promise<boolean> {
  const body = encode({ id: `wire-${id}`, key, ledger, event });
  let isTaken = true;
  for (let copy = 0; copy < copies; copy++) {
    const [headers, signal] = [signReport(secret, body), AbortSignal.timeout(ATTEMPT_MS)];
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

/** Runs `look` after every signal and every few milliseconds, never twice at a time. */
function repeat(db: Database, look: () => Promise<void>): void {
  let isLooking = false;
  const run = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
    } finally {
      isLooking = false;
    }
  };
  db.onSignal(({ topic }) => {
    if (topic === SIGNAL) void run();
  });
  setInterval(() => void run(), LOOK_EVERY_MS);
}
