import type { Db } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';

export type PortInName = { readonly ledgerId: number; readonly connectionId: string; readonly ref: string };

/** The latest submission of a port-in. */
export type StoredPortIn = {
  readonly attempt: number;
  readonly phoneNumbers: readonly string[];
  /** True if Telnyx has accepted the whole submission. */
  readonly isSubmitted: boolean;
};

const OPEN = statement(
  'telnyx_port_ins_open',
  `insert into telnyx_port_ins as p (ledger_id, connection_id, ref, attempt, phone_numbers)
   values ($1, $2, $3, $4, $5)
   on conflict (ledger_id, connection_id, ref) do update
   set attempt = excluded.attempt, phone_numbers = excluded.phone_numbers, is_submitted = false
   where p.attempt < excluded.attempt`,
);

/** Stores a submission before it is sent, unless it or a later one is stored already. */
export async function openPortIn(
  db: Db,
  { ledgerId, connectionId, ref }: PortInName,
  { attempt, phoneNumbers }: Pick<StoredPortIn, 'attempt' | 'phoneNumbers'>,
): Promise<void> {
  await db.query(OPEN, [ledgerId, connectionId, ref, attempt, phoneNumbers]);
}

const FIND = statement(
  'telnyx_port_ins_find',
  `select attempt, phone_numbers as "phoneNumbers", is_submitted as "isSubmitted" from telnyx_port_ins
   where ledger_id = $1 and connection_id = $2 and ref = $3`,
);

export async function findStoredPortIn(
  db: Db,
  { ledgerId, connectionId, ref }: PortInName,
): Promise<StoredPortIn | undefined> {
  const [row] = await db.query<StoredPortIn>(FIND, [ledgerId, connectionId, ref]);
  return row;
}

const SUBMITTED = statement(
  'telnyx_port_ins_submitted',
  `update telnyx_port_ins set is_submitted = true
   where ledger_id = $1 and connection_id = $2 and ref = $3 and attempt = $4 and not is_submitted`,
);

/** Records that Telnyx has accepted a whole submission. */
export async function markSubmitted(
  db: Db,
  { ledgerId, connectionId, ref }: PortInName,
  attempt: number,
): Promise<void> {
  await db.query(SUBMITTED, [ledgerId, connectionId, ref, attempt]);
}

const OWNER = statement(
  'telnyx_port_ins_owner',
  `select ledger_id as "ledgerId", attempt from telnyx_port_ins where connection_id = $1 and ref = $2`,
);

/** Returns the ledger of the port-in in a report, and its latest submission. */
export async function findPortInOwner(
  db: Db,
  { connectionId, ref }: Omit<PortInName, 'ledgerId'>,
): Promise<{ readonly ledger: Ledger; readonly attempt: number } | undefined> {
  const [row] = await db.query<{ ledgerId: number; attempt: number }>(OWNER, [connectionId, ref]);
  const ledger = row && (await findLedger(db, row.ledgerId));
  return ledger && { ledger, attempt: row.attempt };
}

const OPEN_DOCUMENT = statement(
  'telnyx_documents_open',
  `insert into telnyx_documents (ledger_id, connection_id, port_in_ref, ref) values ($1, $2, $3, $4)
   on conflict (ledger_id, connection_id, port_in_ref, ref) do nothing
   returning ref`,
);

const FIND_DOCUMENT = statement(
  'telnyx_documents_find',
  `select document_id as "documentId" from telnyx_documents
   where ledger_id = $1 and connection_id = $2 and port_in_ref = $3 and ref = $4`,
);

/** Stores a document before its upload. Returns an earlier upload of it; undefined if there was none. */
export async function openDocument(
  db: Db,
  { ledgerId, connectionId, ref: portInRef }: PortInName,
  ref: string,
): Promise<{ readonly documentId: string | null } | undefined> {
  const key = [ledgerId, connectionId, portInRef, ref];
  if ((await db.query(OPEN_DOCUMENT, key)).length > 0) return undefined;
  const [row] = await db.query<{ documentId: string | null }>(FIND_DOCUMENT, key);
  return row;
}

const KEEP_DOCUMENT = statement(
  'telnyx_documents_keep',
  `update telnyx_documents set document_id = $5
   where ledger_id = $1 and connection_id = $2 and port_in_ref = $3 and ref = $4`,
);

/** Stores Telnyx's id of a document; null if Telnyx no longer has it. */
export async function keepDocument(
  db: Db,
  { ledgerId, connectionId, ref: portInRef }: PortInName,
  { ref, documentId }: { ref: string; documentId: string | null },
): Promise<void> {
  await db.query(KEEP_DOCUMENT, [ledgerId, connectionId, portInRef, ref, documentId]);
}

const FORGET_DOCUMENTS = statement(
  'telnyx_documents_forget',
  'delete from telnyx_documents where ledger_id = $1 and connection_id = $2 and port_in_ref = $3',
);

/** Deletes the stored documents of a port-in that has ended. */
export async function forgetDocuments(db: Db, { ledgerId, connectionId, ref }: PortInName): Promise<void> {
  await db.query(FORGET_DOCUMENTS, [ledgerId, connectionId, ref]);
}
