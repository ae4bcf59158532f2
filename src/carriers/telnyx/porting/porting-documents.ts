/** Documents of port-ins at Telnyx. Each is uploaded once. If the answer is lost, the document is found by our id. */
import { listAt, textAt } from '../../../lib/json-object.ts';
import type { PortInDocument } from '../../ports/porting.ts';
import { type Answer, isMissing, LONGEST_PAGE } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { keepDocument, openDocument, type PortInName } from './port-in-queries.ts';
import { DOCUMENT_FIELDS, type Problem } from './porting-orders.ts';

/** The time limit of an upload: that of any request, plus the time that a slow line needs for the bytes. */
const UPLOAD_MS = 5_000;
const BYTES_PER_MS = 300;
const EXTENSIONS = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' } as const;

/** A document that Telnyx has. */
export type UploadedDocument = Pick<PortInDocument, 'kind'> & { readonly documentId: string };

type Uploaded = { readonly documents: readonly UploadedDocument[] } | { readonly problem: Problem };

/** Uploads the documents that Telnyx does not have. Returns all of them, in the given order. */
export async function uploadDocuments(
  line: TelnyxLine,
  name: PortInName,
  documents: readonly PortInDocument[],
): Promise<Uploaded> {
  const uploaded: UploadedDocument[] = [];
  for (const document of documents) {
    const found = await ensureDocument(line, name, document);
    if ('problem' in found) return found;
    uploaded.push({ kind: document.kind, documentId: found.documentId });
  }
  return { documents: uploaded };
}

type Ensured = { readonly documentId: string } | { readonly problem: Problem };

async function ensureDocument(line: TelnyxLine, name: PortInName, document: PortInDocument): Promise<Ensured> {
  const { ref } = document;
  const known = await openDocument(line.db, name, ref);
  const found = known && (await findDocument(line, ref, known.documentId));
  if (found !== undefined && 'problem' in found) return found;
  // Telnyx deletes a document if no order names it within 30 minutes. In that case its stored id is removed too.
  if (known?.documentId != null && found === undefined) await keepDocument(line.db, name, { ref, documentId: null });
  const ensured = found ?? (await upload(line, document));
  if ('documentId' in ensured && ensured.documentId !== known?.documentId) {
    await keepDocument(line.db, name, { ref, documentId: ensured.documentId });
  }
  return ensured;
}

/**
 * Looks for a document by Telnyx's id, or by our id if Telnyx's id is unknown. Returns undefined if Telnyx does not
 * have it.
 */
async function findDocument(
  { client }: TelnyxLine,
  ref: string,
  documentId: string | null,
): Promise<Ensured | undefined> {
  if (documentId !== null) {
    const answer = await client.ask({ method: 'GET', path: '/documents/{id}', params: { id: documentId } });
    if (answer.is === 'answered') return { documentId };
    return isMissing(answer) ? undefined : { problem: answer };
  }
  const query = [['filter[customer_reference][eq]', ref]] as const;
  const answer = await client.ask({ method: 'GET', path: '/documents', query });
  if (answer.is !== 'answered') return { problem: answer };
  const uploaded = listAt(answer.body, 'data').find((document) => textAt(document, 'customer_reference') === ref);
  const found = textAt(uploaded, 'id');
  return found === undefined ? undefined : { documentId: found };
}

async function upload({ client }: TelnyxLine, document: PortInDocument): Promise<Ensured> {
  const { ref, contentType } = document;
  const file = Buffer.from(await document.read()).toString('base64');
  const body = { file, filename: `${ref}.${EXTENSIONS[contentType]}`, customer_reference: ref };
  const requestMs = UPLOAD_MS + Math.ceil(file.length / BYTES_PER_MS);
  const answer = await client.ask({ method: 'POST', path: '/documents', body, requestMs });
  if (answer.is !== 'answered') return { problem: answer };
  const documentId = textAt(answer.body, 'data', 'id');
  return documentId === undefined ? { problem: { is: 'unclear' } } : { documentId };
}

/**
 * Returns the documents that an order names, by field. The last document of a kind counts, because a correction comes
 * last.
 */
export function mainDocuments(documents: readonly UploadedDocument[]): Readonly<Record<string, string>> {
  return Object.fromEntries(documents.map(({ kind, documentId }) => [DOCUMENT_FIELDS[kind], documentId]));
}

/**
 * Adds the other documents to an order, such as the first page of a photographed letter. Returns the answer to the last
 * request; undefined if none was needed.
 */
export async function addOtherDocuments(
  { client }: TelnyxLine,
  orderId: string,
  documents: readonly UploadedDocument[],
): Promise<Answer | undefined> {
  const main = new Set(Object.values(mainDocuments(documents)));
  const others = documents.filter(({ documentId }) => !main.has(documentId));
  if (others.length === 0) return undefined;
  const about = { path: '/porting_orders/{id}/additional_documents', params: { id: orderId } };
  const listed = await client.ask({ method: 'GET', ...about, query: [LONGEST_PAGE] });
  if (listed.is !== 'answered') return listed;
  const added = new Set(listAt(listed.body, 'data').map((document) => textAt(document, 'document_id')));
  const additional_documents = others
    .filter(({ documentId }) => !added.has(documentId))
    .map(({ kind, documentId }) => ({ document_id: documentId, document_type: DOCUMENT_FIELDS[kind] }));
  if (additional_documents.length === 0) return undefined;
  return await client.ask({ method: 'POST', ...about, body: { additional_documents } });
}
