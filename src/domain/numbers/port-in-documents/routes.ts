import type { FastifyRequest } from 'fastify';
import { DOCUMENT_TYPES } from '../../../carriers/ports/porting.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id, ListOf } from '../../../http/schemas/schemas.ts';
import { acceptUploads, fileBody, type UploadedFile } from '../../../http/uploads/uploads.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getPortIn } from '../port-ins/queries.ts';
import { addDocument, recogniseDocument } from './add-document.ts';
import { deleteDocument } from './delete-documents.ts';
import { listDocuments } from './queries.ts';
import { DOCUMENT_BYTES_MAX, DOCUMENTS_MAX } from './rules.ts';
import { AddDocument, PortInDocument } from './schema.ts';

const params = Type.Object({ port_in_id: Id });
const documentParams = Type.Object({ port_in_id: Id, document_id: Id });
const tags = ['Port-ins'];

const addSchema = {
  tags,
  summary: 'Add a document to a port-in',
  params,
  querystring: AddDocument,
  body: fileBody(DOCUMENT_TYPES, 'The file itself, of at most 10 MiB'),
  response: { 201: PortInDocument },
};
const listSchema = {
  tags,
  summary: 'List the documents of a port-in',
  params,
  response: { 200: ListOf(PortInDocument, DOCUMENTS_MAX) },
};
const deleteSchema = {
  tags,
  summary: 'Delete a document of a port-in',
  params: documentParams,
  response: { 204: Type.Null() },
};

export const portInDocumentRoutes: RoutePlugin = (api, context) => {
  const findFirst = async ({ scope, params }: FastifyRequest) =>
    getPortIn(context.db, scope, (params as { port_in_id: string }).port_in_id);
  acceptUploads(api, (uploads) => {
    uploads.post(
      '/port_ins/:port_in_id/documents',
      { schema: addSchema, bodyLimit: DOCUMENT_BYTES_MAX, config: { findFirst } },
      async (request, reply) => {
        const { scope, params, query } = request;
        const file = recogniseDocument(request.body as UploadedFile | undefined);
        const added = { portInId: params.port_in_id, kind: query.kind, file };
        return await write(context, { request, reply, status: 201 }, addDocument(context, scope, added));
      },
    );
  });

  api.get('/port_ins/:port_in_id/documents', { schema: listSchema }, async ({ scope, params }) => {
    const { id } = await getPortIn(context.db, scope, params.port_in_id);
    return { data: await listDocuments(context.db, scope, id) };
  });

  api.delete('/port_ins/:port_in_id/documents/:document_id', { schema: deleteSchema }, async (request, reply) => {
    const { port_in_id: portInId, document_id: id } = request.params;
    const { scope } = request;
    return await write(context, { request, reply, status: 204 }, (tx) => deleteDocument(tx, scope, { portInId, id }));
  });
};
