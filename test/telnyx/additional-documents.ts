/** Documents that are added to port orders. The orders themselves do not name them. */
import { randomUUID } from 'node:crypto';
import { findDocument } from './documents.ts';
import type { AdditionalDocument } from './porting-state.ts';
import { checkQuery, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

const PATH = '/porting_orders/{id}/additional_documents';

type Given = { readonly additional_documents?: readonly Partial<AdditionalDocument>[] };

/** Returns the operations on the additional documents of an order. */
export function additionalDocumentRoutes(world: World): readonly Route[] {
  const { additionalDocuments, portingOrders } = world.state;
  const orderIdOf = (id = ''): string => orNotFound(portingOrders.get(id)).id;
  return [
    {
      name: `GET ${PATH}`,
      answer: ({ params, query }) => {
        checkQuery(query, PAGE_PARAMETERS);
        const id = orderIdOf(params['id']);
        const own = [...additionalDocuments.values()].filter(({ porting_order_id }) => porting_order_id === id);
        return page(
          own.reverse().map((each) => shown(world, each)),
          query,
        );
      },
    },
    { name: `POST ${PATH}`, answer: ({ params, body }) => add(world, orderIdOf(params['id']), body as Given) },
  ];
}

function add(world: World, porting_order_id: string, { additional_documents = [] }: Given): Reply {
  const now = nowText();
  const added = additional_documents.map(({ document_id = '', document_type = 'other' }, index) => {
    if (findDocument(world, document_id) === undefined) {
      throw new Refusal('10015', 'the document does not exist', { pointer: `/additional_documents/${index}` });
    }
    return { id: randomUUID(), porting_order_id, document_id, document_type, created_at: now, updated_at: now };
  });
  for (const each of added) world.state.additionalDocuments.set(each.id, each);
  return { status: 201, body: { data: added.map((each) => shown(world, each)) } };
}

function shown(world: World, document: AdditionalDocument): object {
  const { filename, content_type } = findDocument(world, document.document_id) ?? {};
  return { record_type: 'porting_additional_document', ...document, filename, content_type };
}
