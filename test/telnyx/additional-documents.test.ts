/**
 * Additional documents of ports at the emulated Telnyx, as its types have them: `AdditionalDocumentCreateParams` takes
 * `additional_documents` of `document_id` and `document_type` ('loa' | 'invoice' | 'csr' | 'other'), and
 * `PortingAdditionalDocument` has these, `porting_order_id`, `filename` and `content_type`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PDF } from '../support/port-ins.ts';
import { useTelnyxApi } from './telnyx-api.ts';

const { control, call } = await useTelnyxApi();

type Additional = { readonly document_id: string; readonly document_type: string; readonly filename: string };

async function order(): Promise<string> {
  const made = await call('POST', '/porting_orders', { phone_numbers: ['+13035550101'] });
  return (made.data as [{ id: string }])[0].id;
}

async function upload(filename: string): Promise<string> {
  const sent = { file: PDF.toString('base64'), filename };
  return ((await call('POST', '/documents', sent)).data as { id: string }).id;
}

const add = (id: string, documents: readonly object[]) =>
  call('POST', `/porting_orders/${id}/additional_documents`, { additional_documents: documents });
const list = async (id: string): Promise<Additional[]> =>
  (await call('GET', `/porting_orders/${id}/additional_documents`)).data;

test('an order has additional documents of each kind, which live as long as it', async () => {
  const id = await order();
  const [letter, invoice] = [await upload('letter.pdf'), await upload('invoice.pdf')];
  const documents = [
    { document_id: letter, document_type: 'loa' },
    { document_id: invoice, document_type: 'invoice' },
  ];
  const added = await add(id, documents);
  assert.equal(added.status, 201);
  await control.set({ documentLifeMs: 0 });
  const shown = (await list(id)).map(({ document_id, document_type, filename }) => [
    ...[document_id, document_type, filename],
  ]);
  assert.deepEqual(
    shown.sort(),
    [
      [letter, 'loa', 'letter.pdf'],
      [invoice, 'invoice', 'invoice.pdf'],
    ].sort(),
  );
});

test('a document that does not exist is refused, and so is an order', async () => {
  const id = await order();
  assert.equal((await add(id, [{ document_id: 'none', document_type: 'loa' }])).status, 422);
  assert.deepEqual(await list(id), []);
  assert.equal((await add('none', [])).status, 404);
});
