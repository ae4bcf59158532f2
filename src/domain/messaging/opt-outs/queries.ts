import type { Db, Tx } from '../../../db/database.ts';
import { byMoment, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { DECIDE_SQL } from '../opt-out-candidates/queries.ts';
import { OPT_OUT_CHANNELS, type OptOutChannel, type OptOutSource } from './rules.ts';
import type { OptOut } from './schema.ts';

const COLUMNS = `'opt_out' as object, tenant_id, external_number, opted_out_at, source, channels`;

const FIND = statement(
  'opt_outs_find',
  `select ${COLUMNS} from opt_outs where ledger_id = $1 and tenant_id = $2 and external_number = $3`,
);

/** The ledger of a row: requests that people speak on calls have no scope, only a ledger. */
export type InLedger = Pick<Ledger, 'ledgerId'>;

export type OptOutKey = { tenantId: string; externalNumber: string };

export async function findOptOut(db: Db, { ledgerId }: InLedger, key: OptOutKey): Promise<OptOut | undefined> {
  const [row] = await db.query<OptOut>(FIND, [ledgerId, key.tenantId, key.externalNumber]);
  return row;
}

/** Returns true if the person has opted out of automated calls: calls with software that speaks. */
export async function isOptedOutOfCalls(db: Db, ledger: InLedger, key: OptOutKey): Promise<boolean> {
  return (await findOptOut(db, ledger, key))?.channels.includes('call') === true;
}

/**
 * SQL that sets the flag of the person's conversations. `$2` is the tenant, `$3` the external number.
 * @param condition when it is set
 */
function flagConversations(optedOut: boolean, condition: string): string {
  return `flagged as (
     update conversations set opted_out = ${optedOut}
     where ledger_id = $1 and tenant_id = $2 and external_number = $3 and opted_out <> ${optedOut} and ${condition}
   )`;
}

// An opt-out by the person or by the carrier replaces an opt-out by the API or an import. An opt-out of another channel
// adds that channel. No other opt-out is replaced.
const INSERT = statement(
  'opt_outs_insert',
  `with ${flagConversations(true, `'text' = any($5::text[])`)}, decided as (
     ${DECIDE_SQL}
   )
   insert into opt_outs as o (ledger_id, tenant_id, external_number, source, channels, opted_out_at)
   values ($1, $2, $3, $4, $5::text[], ledger_now($1))
   on conflict (ledger_id, tenant_id, external_number) do update
     set source = excluded.source, opted_out_at = excluded.opted_out_at,
         channels = case when o.channels @> excluded.channels then o.channels else '{text,call}' end
     where (o.source in ('api', 'import') and excluded.source not in ('api', 'import'))
       or not o.channels @> excluded.channels
   returning ${COLUMNS}`,
);

/** An opt-out to store; of all channels unless it names them. */
export type NewOptOut = {
  readonly source: OptOutSource;
  readonly channels?: readonly OptOutChannel[] | undefined;
};

/**
 * Stores an opt-out, which decides the person's candidates, and returns it; undefined if there is one already that this
 * one does not replace.
 */
export async function insertOptOut(
  tx: Tx,
  { ledgerId }: InLedger,
  key: OptOutKey,
  { source, channels = OPT_OUT_CHANNELS }: NewOptOut,
): Promise<OptOut | undefined> {
  const ordered = OPT_OUT_CHANNELS.filter((channel) => channels.includes(channel));
  const [row] = await tx.query<OptOut>(INSERT, [ledgerId, key.tenantId, key.externalNumber, source, ordered]);
  return row;
}

const DELETE = statement(
  'opt_outs_delete',
  `with gone as (
     delete from opt_outs where ledger_id = $1 and tenant_id = $2 and external_number = $3
       and source = any($4::text[]) returning ${COLUMNS}
   ), ${flagConversations(false, 'exists (select 1 from gone)')}, decided as (
     ${DECIDE_SQL}
   )
   select * from gone`,
);

/** Deletes an opt-out that one of the sources set, and returns it; undefined if there is none. */
export async function deleteOptOut(
  tx: Tx,
  { ledgerId }: Ledger,
  key: OptOutKey,
  sources: readonly OptOutSource[],
): Promise<OptOut | undefined> {
  const [row] = await tx.query<OptOut>(DELETE, [ledgerId, key.tenantId, key.externalNumber, sources]);
  return row;
}

// If an opt-out and the first text of a conversation commit concurrently, neither transaction sees the other.
const FLAG_MISSED = statement(
  'opt_outs_flag_missed',
  `with recent as materialized (
     select o.ledger_id, o.tenant_id, o.external_number from ledgers l cross join lateral (
       select ledger_id, tenant_id, external_number from opt_outs
       where ledger_id = l.id and opted_out_at > clock_timestamp() + l.clock_offset - interval '1 hour'
         and 'text' = any(channels)) o
   )
   update conversations c set opted_out = true from recent o
   where c.ledger_id = o.ledger_id and c.external_number = o.external_number and c.tenant_id = o.tenant_id
     and not c.opted_out`,
);

/** Sets the flag of conversations that began while their person opted out, within the last hour. */
export async function flagMissedConversations(db: Db): Promise<void> {
  await db.query(FLAG_MISSED, []);
}

// A carrier's clock that is ahead must not outweigh a later text of the person.
const CLAIM = statement(
  'opt_out_moments_claim',
  `insert into opt_out_moments as m (ledger_id, tenant_id, external_number, occurred_at)
   values ($1, $2, $3, least($4::timestamptz, ledger_now($1)))
   on conflict (ledger_id, tenant_id, external_number) do update set occurred_at = excluded.occurred_at
     where m.occurred_at <= excluded.occurred_at
   returning 1`,
);

/**
 * Records when a person opted out or in: now, if the carrier does not say. Returns false if a later change is known, so
 * that this one changes nothing. Changes of one person wait for each other here.
 */
export async function claimMoment(
  tx: Tx,
  { ledgerId }: InLedger,
  { tenantId, externalNumber }: OptOutKey,
  occurredAt: Date | undefined,
): Promise<boolean> {
  return (await tx.query(CLAIM, [ledgerId, tenantId, externalNumber, occurredAt ?? null])).length > 0;
}

export type ListedOptOut = Positioned<OptOut>;

const LIST = {
  name: 'opt_outs_list',
  from: ['opt_outs', 'o'],
  columns: COLUMNS,
  order: byMoment('o.opted_out_at'),
  ids: ['tenant_id', 'external_number'],
  filters: { tenantId: 'o.tenant_id = ?' },
} as const;

const readList = tenantReader<ListedOptOut>(LIST);

// A person opts out of few tenants, so all of them are read.
const readExternal = listReader<ListedOptOut>(LIST, { name: 'external', keys: [{ sql: 'o.external_number' }] });

export type OptOutFilter = {
  readonly tenantId: string | null;
  readonly externalNumber: string | null;
  readonly before: Position;
  readonly rows: number;
};

/** Returns opt-outs, newest first. */
export function listOptOuts(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, externalNumber, ...page }: OptOutFilter,
): Promise<ListedOptOut[]> {
  if (externalNumber === null) return readList(db, ledgerId, { tenantId, ...page });
  return readExternal(db, ledgerId, { ...page, arms: [[externalNumber]], filters: { tenantId } });
}
