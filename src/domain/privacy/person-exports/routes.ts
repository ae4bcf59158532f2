import { audioRoute } from '../../../http/audio/audio.ts';
import { signAudioUrl } from '../../../http/edge/signed-links.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { PersonOfTenant } from '../person.ts';
import { createExport } from './create-export.ts';
import { ZIP_CONTENT_TYPE } from './export-job.ts';
import { type ExportRow, findExport, listExports } from './queries.ts';
import { PersonExport, PersonExportList } from './schema.ts';

const params = Type.Object({ person_export_id: Id });
const tags = ['Person exports'];
const list = {
  tags,
  summary: 'List exports of people',
  querystring: PersonExportList,
  response: { 200: PageOf(PersonExport) },
};
const create = { tags, summary: 'Export a person', body: PersonOfTenant, response: { 202: PersonExport } };
const get = { tags, summary: 'Get the export of a person', params, response: { 200: PersonExport } };

export const personExportRoutes: RoutePlugin = (api, context) => {
  const { db } = context;
  const withLink = (ledgerId: number, { blob_key: key, ...row }: ExportRow): PersonExport => {
    const path = `/v1/person_exports/${row.id}/file`;
    return { ...row, download_url: key === null ? null : signAudioUrl(context, { ledgerId, path }) };
  };

  api.get('/person_exports', { schema: list }, async ({ scope, query: { limit = 25, after, tenant_id } }) => {
    const before = idPosition('person_exports', after);
    const tenantId = await tenantFilter(db, scope, tenant_id);
    const rows = await listExports(db, scope, { tenantId, before, rows: limit + 1 });
    const shown = rows.map((row) => withLink(scope.ledgerId, row));
    return idPage('person_exports', shown, limit);
  });

  api.post('/person_exports', { schema: create }, (request, reply) =>
    write(context, { request, reply, status: 202 }, async (tx) =>
      withLink(request.scope.ledgerId, await createExport(tx, request.scope, request.body)),
    ),
  );

  api.get('/person_exports/:person_export_id', { schema: get }, async ({ scope, params }) =>
    withLink(
      scope.ledgerId,
      visible(scope, await findExport(db, scope, params.person_export_id), 'person_export_not_found'),
    ),
  );

  audioRoute(api, context, {
    url: '/person_exports/:person_export_id/file',
    tag: 'Person exports',
    summary: 'Download the export of a person',
    params,
    notFound: 'person_export_not_found',
    isAttachment: true,
    find: async (access, { person_export_id: id }) => {
      const { blob_key: key } = visible(access, await findExport(db, access, id), 'person_export_not_found');
      if (key === null) throw new ApiError('person_export_not_found');
      return { key, filename: `${id}.zip`, contentType: ZIP_CONTENT_TYPE };
    },
  });
};
