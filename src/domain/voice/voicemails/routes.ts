import { audioRoute } from '../../../http/audio/audio.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor, readRange } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import type { TimelineSource } from '../../messaging/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { deleteVoicemail } from '../deletion/delete-audio.ts';
import { withAudioLink } from '../recordings/audio-link.ts';
import { findVoicemail, findVoicemailAudio, listVoicemails, listVoicemailsOfConversation } from './queries.ts';
import { Voicemail, VoicemailList } from './schema.ts';

const params = Type.Object({ voicemail_id: Id });
const tags = ['Voicemails'];

const listSchema = {
  tags,
  summary: 'List voicemails',
  querystring: VoicemailList,
  response: { 200: PageOf(Voicemail) },
};
const deleteSchema = { tags, summary: 'Delete a voicemail', params, response: { 204: Type.Null() } };
const getSchema = { tags, summary: 'Get a voicemail', params, response: { 200: Voicemail } };

export const voicemailRoutes: RoutePlugin = (api, context) => {
  const { db } = context;

  api.get('/voicemails', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id } = query;
    const before = readMomentCursor('voicemails', 2, after);
    const range = readRange(query);
    const tenantId = await tenantFilter(db, scope, tenant_id);
    const rows = await listVoicemails(db, scope, { tenantId, range, before, rows: limit + 1 });
    return momentPage(
      'voicemails',
      rows.map((row) => withAudioLink(context, scope, 'voicemails', row)),
      limit,
    );
  });

  api.get('/voicemails/:voicemail_id', { schema: getSchema }, async ({ scope, params }) => {
    const row = visible(scope, await findVoicemail(db, scope, params.voicemail_id), 'voicemail_not_found');
    return withAudioLink(context, scope, 'voicemails', row);
  });

  api.delete('/voicemails/:voicemail_id', { schema: deleteSchema }, (request, reply) =>
    write(context, { request, reply, status: 204 }, (tx) =>
      deleteVoicemail(tx, request.scope, request.params.voicemail_id),
    ),
  );

  audioRoute(api, context, {
    url: '/voicemails/:voicemail_id/audio',
    tag: 'Voicemails',
    summary: 'Listen to a voicemail',
    params,
    notFound: 'voicemail_not_found',
    find: async (access, { voicemail_id }) => {
      const found = await findVoicemailAudio(db, access, voicemail_id);
      const { blob_key: key } = visible(access, found, 'voicemail_not_found');
      return { key, filename: `${voicemail_id}.wav` };
    },
  });
};

/** The voicemails of a conversation. */
export const voicemailTimeline: TimelineSource = {
  kind: 'voicemail',
  schema: Voicemail,
  list: async (context, ledger, page) => {
    const rows = await listVoicemailsOfConversation(context.db, ledger, page);
    return rows.map((row) => withAudioLink(context, ledger, 'voicemails', row));
  },
};
