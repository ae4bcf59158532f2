/** The documents that people upload for ports. */

import { createHash, randomUUID } from 'node:crypto';
import { time, timeoutSignal } from '../support/emulator-time.ts';
import type { Document } from './porting-state.ts';
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

type Upload = {
  readonly file?: string;
  readonly url?: string;
  readonly filename?: string;
  readonly customer_reference?: string;
};

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const FETCH_TIMEOUT_MS = 5_000;
const TYPES: readonly (readonly [start: string, type: string])[] = [
  ['255044462d', 'application/pdf'],
  ['89504e47', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
];

/** Returns the operations on documents. */
export function documentRoutes(world: World): readonly Route[] {
  return [
    { name: 'POST /documents', answer: ({ body }) => upload(world, body as Upload) },
    {
      name: 'GET /documents',
      answer: ({ query }) => {
        checkQuery(query, ['filter[customer_reference][eq]', 'filter[filename][contains]', ...PAGE_PARAMETERS]);
        const reference = query.get('filter[customer_reference][eq]');
        const part = query.get('filter[filename][contains]') ?? '';
        const found = [...world.state.documents.keys()].flatMap((id) => findDocument(world, id) ?? []);
        const fitting = found.filter(
          ({ customer_reference, filename }) =>
            (reference === null || customer_reference === reference) && filename.includes(part),
        );
        return page(fitting.reverse(), query);
      },
    },
    { name: 'GET /documents/{id}', answer: ({ params }) => ok(orNotFound(findDocument(world, params.id ?? ''))) },
  ];
}

/** Returns a document. A document without an order is deleted after a while. */
export function findDocument({ state, settings }: World, id: string): Document | undefined {
  const found = state.documents.get(id);
  if (found === undefined) return undefined;
  const isUsed =
    [...state.portingOrders.values()].some(({ documents }) => Object.values(documents).includes(id)) ||
    [...state.additionalDocuments.values()].some(({ document_id }) => document_id === id);
  if (!isUsed && Date.parse(found.created_at) + settings.documentLifeMs < time.now()) {
    state.documents.delete(id);
    return undefined;
  }
  return found;
}

function upload({ state }: World, { file, url, filename = 'document', customer_reference }: Upload): Reply {
  if ((file === undefined) === (url === undefined)) throw new Refusal('10015', 'either a file or a url is needed');
  if (file !== undefined && !BASE64.test(file)) {
    throw new Refusal('10015', 'the file is not base64', { pointer: '/file' });
  }
  const now = nowText();
  const document: Document = {
    record_type: 'document',
    id: randomUUID(),
    filename,
    customer_reference: customer_reference ?? null,
    ...contentOf(Buffer.from(file ?? '', 'base64')),
    status: 'pending',
    av_scan_status: 'pending_scan',
    created_at: now,
    updated_at: now,
  };
  state.documents.set(document.id, document);
  if (url === undefined) document.av_scan_status = 'scanned';
  else void fetchInto(document, url);
  return ok(document);
}

/** Reads the file of a document from its address. A document whose file cannot be read is denied. */
async function fetchInto(document: Document, url: string): Promise<void> {
  try {
    const reply = await fetch(url, { signal: timeoutSignal(FETCH_TIMEOUT_MS) });
    if (!reply.ok) throw new Error(`status ${reply.status}`);
    Object.assign(document, contentOf(Buffer.from(await reply.arrayBuffer())), { av_scan_status: 'scanned' });
  } catch {
    document.status = 'denied';
  }
  document.updated_at = nowText();
}

function contentOf(content: Buffer): Pick<Document, 'content_type' | 'sha256' | 'size'> {
  const hex = content.subarray(0, 8).toString('hex');
  return {
    content_type: TYPES.find(([start]) => hex.startsWith(start))?.[1] ?? 'application/octet-stream',
    sha256: createHash('sha256').update(content).digest('hex'),
    size: { unit: 'bytes', amount: content.length },
  };
}
