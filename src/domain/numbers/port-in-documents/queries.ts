import type { DocumentKind, DocumentType } from '../../../carriers/ports/porting.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { DOCUMENTS_MAX } from './rules.ts';
import type { PortInDocument } from './schema.ts';

const COLUMNS = `id, 'port_in_document' as object, port_in_id, kind, content_type, size_bytes, created_at`;

export type NewDocument = {
  readonly id: string;
  readonly tenantId: string;
  readonly portInId: string;
  readonly kind: DocumentKind;
  readonly contentType: DocumentType;
  readonly sizeBytes: number;
  readonly blobKey: string;
};

const INSERT = statement(
  'port_in_documents_insert',
  `insert into port_in_documents
     (ledger_id, id, tenant_id, port_in_id, kind, content_type, size_bytes, blob_key, created_at)
   select $1::integer, $2, $3, $4::text, $5, $6, $7, $8, ledger_now($1)
   where (select count(*) from port_in_documents where ledger_id = $1 and port_in_id = $4) < ${DOCUMENTS_MAX}
   returning ${COLUMNS}`,
);

/**
 * Stores a document of a port-in whose row the caller has locked. Returns undefined if the port-in has the maximum of
 * documents.
 */
export async function insertDocument(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, tenantId, portInId, kind, contentType, sizeBytes, blobKey }: NewDocument,
): Promise<PortInDocument | undefined> {
  const values = [ledgerId, id, tenantId, portInId, kind, contentType, sizeBytes, blobKey];
  const [row] = await tx.query<PortInDocument>(INSERT, values);
  return row;
}

const LIST = statement(
  'port_in_documents_list',
  `select ${COLUMNS} from port_in_documents where ledger_id = $1 and port_in_id = $2 order by id`,
);

/** Returns the documents of a port-in, oldest first. */
export function listDocuments(db: Db, { ledgerId }: Ledger, portInId: string): Promise<PortInDocument[]> {
  return db.query<PortInDocument>(LIST, [ledgerId, portInId]);
}

const LIST_FILES = statement(
  'port_in_documents_list_files',
  `select id, kind, content_type, size_bytes, blob_key from port_in_documents
   where ledger_id = $1 and port_in_id = $2 order by id`,
);

export type DocumentFile = Pick<PortInDocument, 'id' | 'kind' | 'content_type' | 'size_bytes'> & { blob_key: string };

/** Returns the documents of a port-in with the keys of their blobs, oldest first. */
export function listDocumentFiles(db: Db, { ledgerId }: Ledger, portInId: string): Promise<DocumentFile[]> {
  return db.query<DocumentFile>(LIST_FILES, [ledgerId, portInId]);
}

const FIND = statement(
  'port_in_documents_find',
  'select tenant_id, port_in_id from port_in_documents where ledger_id = $1 and id = $2',
);

export type DocumentOwner = { tenant_id: string; port_in_id: string };

/** Returns the tenant and the port-in of a document. */
export async function findDocumentOwner(db: Db, { ledgerId }: Ledger, id: string): Promise<DocumentOwner | undefined> {
  const [row] = await db.query<DocumentOwner>(FIND, [ledgerId, id]);
  return row;
}

const deletion = (which: string, condition: string) =>
  statement(
    `port_in_documents_delete_${which}`,
    `delete from port_in_documents where ledger_id = $1 and ${condition} returning blob_key`,
  );
const DELETE = {
  one: deletion('one', 'id = $2'),
  ofPortIn: deletion('of_port_in', 'port_in_id = $2'),
  ofTenant: deletion('of_tenant', 'tenant_id = $2'),
};

/** Deletes a document, or the documents of a port-in or of a tenant. Returns the keys of their blobs. */
export async function deleteDocumentRows(
  tx: Tx,
  { ledgerId }: Ledger,
  which: keyof typeof DELETE,
  id: string,
): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string }>(DELETE[which], [ledgerId, id]);
  return rows.map(({ blob_key }) => blob_key);
}

const LIST_BLOBS = statement(
  'port_in_documents_list_blobs',
  'select blob_key from port_in_documents where ledger_id = $1',
);

/** Returns the blob keys of all documents of a ledger. */
export async function listDocumentBlobs(tx: Tx, ledgerId: number): Promise<string[]> {
  const rows = await tx.query<{ blob_key: string }>(LIST_BLOBS, [ledgerId]);
  return rows.map(({ blob_key }) => blob_key);
}
