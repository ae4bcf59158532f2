import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { OPEN_STATUSES, PORT_IN_STATUSES, type PortInStatus, SUBMITTED_STATUSES } from './rules.ts';
import type { PortIn } from './schema.ts';

const COLUMNS = `p.id, 'port_in' as object, p.tenant_id, p.phone_numbers, p.status, p.status_detail, p.entity_name,
  p.authorized_person, p.billing_phone_number, p.account_number, p.service_address, p.foc_date, p.created_at`;

/** The customer's details of a port-in. `pin` is encrypted. */
export type Details = Pick<
  PortIn,
  'phone_numbers' | 'entity_name' | 'authorized_person' | 'billing_phone_number' | 'account_number' | 'service_address'
> & { readonly pin: Buffer | null };

function valuesOf(details: Details): unknown[] {
  return [
    details.phone_numbers,
    details.entity_name,
    details.authorized_person,
    details.billing_phone_number,
    details.account_number,
    JSON.stringify(details.service_address),
    details.pin,
  ];
}

const INSERT = statement(
  'port_ins_insert',
  `insert into port_ins as p (ledger_id, id, tenant_id, phone_numbers, entity_name, authorized_person,
     billing_phone_number, account_number, service_address, pin, status, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'draft', ledger_now($1)) returning ${COLUMNS}`,
);

export async function insertPortIn(
  tx: Tx,
  { ledgerId }: Ledger,
  portIn: Details & { readonly id: string; readonly tenantId: string },
): Promise<PortIn> {
  const [row] = await tx.query<PortIn>(INSERT, [ledgerId, portIn.id, portIn.tenantId, ...valuesOf(portIn)]);
  return row as PortIn;
}

const UPDATE = statement(
  'port_ins_update',
  `update port_ins p set phone_numbers = $3, entity_name = $4, authorized_person = $5, billing_phone_number = $6,
     account_number = $7, service_address = $8, pin = $9
   where ledger_id = $1 and id = $2 returning ${COLUMNS}`,
);

export async function updatePortInRow(tx: Tx, { ledgerId }: Ledger, id: string, details: Details): Promise<PortIn> {
  const [row] = await tx.query<PortIn>(UPDATE, [ledgerId, id, ...valuesOf(details)]);
  return row as PortIn;
}

const FIND = statement('port_ins_find', `select ${COLUMNS} from port_ins p where ledger_id = $1 and id = $2`);

async function findPortIn(db: Db, { ledgerId }: Ledger, id: string): Promise<PortIn | undefined> {
  const [row] = await db.query<PortIn>(FIND, [ledgerId, id]);
  return row;
}

/** Returns the port-in, if the key may read it. Errors: port_in_not_found, tenant_restricted_key. */
export async function getPortIn(db: Db, scope: Scope, id: string): Promise<PortIn> {
  return visible(scope, await findPortIn(db, scope, id), 'port_in_not_found');
}

/** The fields of a port-in that the API does not return. */
type Hidden = {
  readonly attempt: number;
  readonly submittedAt: Date | null;
  readonly pin: Buffer | null;
  /** Null until the first submission. */
  readonly connectionId: ConnectionId;
  readonly tenantName: string;
};
export type WholePortIn = { readonly portIn: PortIn; readonly hidden: Hidden };

type WholeRow = PortIn & {
  attempt: number;
  submitted_at: Date | null;
  pin: Buffer | null;
  connection_id: ConnectionId;
  tenant_name: string;
};

function whole(row: WholeRow | undefined): WholePortIn | undefined {
  if (row === undefined) return undefined;
  const {
    attempt,
    submitted_at: submittedAt,
    pin,
    connection_id: connectionId,
    tenant_name: tenantName,
    ...portIn
  } = row;
  return { portIn, hidden: { attempt, submittedAt, pin, connectionId, tenantName } };
}

const WHOLE = `${COLUMNS}, p.attempt, p.submitted_at, p.pin, p.connection_id,
  (select t.name from tenants t where t.ledger_id = p.ledger_id and t.id = p.tenant_id) as tenant_name`;
const FIND_WHOLE = statement('port_ins_find_whole', `select ${WHOLE} from port_ins p where ledger_id = $1 and id = $2`);

export async function findWholePortIn(db: Db, { ledgerId }: Ledger, id: string): Promise<WholePortIn | undefined> {
  const [row] = await db.query<WholeRow>(FIND_WHOLE, [ledgerId, id]);
  return whole(row);
}

const LOCK = statement('port_ins_lock', `select ${WHOLE} from port_ins p where ledger_id = $1 and id = $2 for update`);

export async function lockPortIn(tx: Tx, { ledgerId }: Ledger, id: string): Promise<WholePortIn | undefined> {
  const [row] = await tx.query<WholeRow>(LOCK, [ledgerId, id]);
  return whole(row);
}

// A tenant has few port-ins, and the index also finds the port-ins of a deleted tenant.
const readList = tenantReader<PortIn>(
  { name: 'port_ins_list', from: ['port_ins', 'p'], columns: COLUMNS },
  [{ sql: 'p.status' }],
  { keysApart: true },
);

export function listPortIns(
  db: Db,
  { ledgerId }: Ledger,
  { status, ...page }: { tenantId: string | null; status: PortInStatus | null; before: string | null; rows: number },
): Promise<PortIn[]> {
  const statuses = status === null ? PORT_IN_STATUSES : [status];
  return readList(db, ledgerId, { ...page, arms: statuses.map((status) => [status]) });
}

const COMING = statement(
  'port_ins_coming_among',
  `select n as phone_number from port_ins p
   cross join unnest(p.phone_numbers) n
   where p.phone_numbers && $2::text[] and n = any($2::text[])
     and p.status in (${SUBMITTED_STATUSES.map((status) => `'${status}'`).join(', ')})
     and p.id <> $3
     and case when $4 then exists (select 1 from ledgers l where l.id = p.ledger_id and l.mode = 'live')
       else p.ledger_id = $1 end`,
);

/**
 * Returns the given numbers that another port-in of the ledger has requested from the carrier. In live mode, checks all
 * live ledgers. `except`: the port-in to leave out, or ''.
 */
export async function listComingAmong(
  db: Db,
  { ledgerId, mode }: Ledger,
  { phoneNumbers, except }: { phoneNumbers: readonly string[]; except: string },
): Promise<Set<string>> {
  const values = [ledgerId, phoneNumbers, except, mode === 'live'];
  const rows = await db.query<{ phone_number: string }>(COMING, values);
  return new Set(rows.map((row) => row.phone_number));
}

const SERIALIZE = statement(
  'port_ins_serialize',
  `select pg_advisory_xact_lock(hashtextextended('port_in ' || $1 || ' ' || n, 0))
   from (select n from unnest($2::text[]) n order by n) sorted`,
);

/**
 * Serializes transactions on port-ins of the same numbers, within one test ledger or across all live ledgers. A number
 * that is being ported in has no row to lock.
 */
export async function serializePortIns(
  tx: Tx,
  { ledgerId, mode }: Ledger,
  phoneNumbers: readonly string[],
): Promise<void> {
  await tx.query(SERIALIZE, [mode === 'live' ? 'live' : String(ledgerId), phoneNumbers]);
}

export type Move = {
  readonly id: string;
  readonly to: PortInStatus;
  /** A port-in in any other status does not move. */
  readonly from: readonly PortInStatus[];
  readonly detail?: string | null;
  readonly focDate?: Date | null;
};

const ENDED = `('completed', 'cancelled')`;

const MOVE = statement(
  'port_ins_move',
  `update port_ins p set status = $3::text, status_detail = $5, foc_date = $6,
     pin = case when $3::text in ${ENDED} then null else pin end
   where ledger_id = $1 and id = $2 and status = any($4::text[]) returning ${COLUMNS}`,
);

/** Moves a port-in to a status. Returns undefined if its present status is not in `from`. */
export async function movePortIn(tx: Tx, { ledgerId }: Ledger, move: Move): Promise<PortIn | undefined> {
  const { id, to, from, detail = null, focDate = null } = move;
  const [row] = await tx.query<PortIn>(MOVE, [ledgerId, id, to, from, detail, focDate]);
  return row;
}

const COUNT_SUBMISSION = statement(
  'port_ins_count_submission',
  `update port_ins set attempt = attempt + 1, submitted_at = ledger_now($1), connection_id = $3
   where ledger_id = $1 and id = $2 returning attempt`,
);

/** Counts the next submission, which goes to the connection. Returns its number, from 1. */
export async function countSubmission(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, connectionId }: { id: string; connectionId: ConnectionId },
): Promise<number> {
  const [row] = await tx.query<{ attempt: number }>(COUNT_SUBMISSION, [ledgerId, id, connectionId]);
  return (row as { attempt: number }).attempt;
}

const LOCK_OPEN = statement(
  'port_ins_lock_open_of_tenant',
  `select ${WHOLE} from port_ins p
   where ledger_id = $1 and tenant_id = $2 and status in (${OPEN_STATUSES.map((status) => `'${status}'`).join(', ')})
   order by id for update`,
);

/** Locks and returns the port-ins of a tenant that have not ended. */
export async function lockOpenPortIns(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<WholePortIn[]> {
  const rows = await tx.query<WholeRow>(LOCK_OPEN, [ledgerId, tenantId]);
  return rows.map((row) => whole(row) as WholePortIn);
}
