/** Requests that are refused with the codes of conversations, of their notes, and of their contents. */
import type { ErrorCode } from '../../src/lib/errors/errors.ts';
import { sql } from '../support/jobs.ts';
import { newConversation } from './fixtures-conversations.ts';
import { get, type Provoke, post } from './provocation.ts';
import { externalNumber } from './world.ts';

export const CONVERSATIONS: Partial<Record<ErrorCode, Provoke>> = {
  conversation_not_found: () => get('/v1/conversations/cnv_none'),
  note_not_found: async ({ home }) => ({
    method: 'DELETE',
    path: `/v1/conversations/${await newConversation(home)}/notes/nte_none`,
  }),
  too_many_notes: async ({ home, harness }) => {
    const id = await newConversation(home);
    const insert = `insert into conversation_notes (ledger_id, id, tenant_id, conversation_id, body, created_at)
      select ledger_id, 'nte_' || n || id, tenant_id, id, 'Note', now() from conversations, generate_series(1, 1000) n
      where id = $1`;
    await sql(harness.context.db, insert, [id]);
    return post(`/v1/conversations/${id}/notes`, { body: 'One more' });
  },
  media_not_found: async ({ home }) => {
    const { id } = await home.must('POST', '/v1/messages', { from: home.numberId, to: externalNumber(), body: 'Hi' });
    return get(`/v1/messages/${id}/media/0`);
  },
  opt_out_not_removable: async ({ home }) => {
    const from = externalNumber();
    await home.must('POST', '/v1/test/inbound_messages', { from, to: home.e164, body: 'STOP' });
    return { method: 'DELETE', path: `/v1/opt_outs/${encodeURIComponent(from)}?tenant_id=${home.tenantId}` };
  },
};
