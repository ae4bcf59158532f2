import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import { newContact } from './fixtures-contacts.ts';
import { externalNumber, type World } from './world.ts';

export async function newConversation(world: World): Promise<string> {
  const text = await world.must('POST', '/v1/messages', { from: world.numberId, to: externalNumber(), body: 'Hello' });
  return text.conversation_id;
}

const ofConversation: Fixture = {
  make: async (world) => ({ path: { conversation_id: await newConversation(world) } }),
  refs: { 'path.conversation_id': 'conversation_not_found' },
};

/** Requests of conversations. */
export const CONVERSATION_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/conversations': {
    make: async (world) => {
      const contact_id = await newContact(world);
      const path = `/v1/conversations/${await newConversation(world)}`;
      await world.must('PATCH', path, { contact_id });
      return { query: { tenant_id: world.tenantId, phone_number_id: world.numberId, contact_id } };
    },
    refs: {
      'query.tenant_id': 'tenant_not_found',
      'query.phone_number_id': 'phone_number_not_found',
      'query.contact_id': 'contact_not_found',
    },
    row: newConversation,
  },
  'GET /v1/conversations/{conversation_id}': ofConversation,
  'POST /v1/conversations/{conversation_id}/read': {
    make: async (world) => ({
      path: { conversation_id: await newConversation(world) },
      body: { reader: randomUUID() },
    }),
    refs: { 'path.conversation_id': 'conversation_not_found' },
  },
  'PATCH /v1/conversations/{conversation_id}': {
    make: async (world) => ({
      path: { conversation_id: await newConversation(world) },
      body: { tags: [randomUUID()], contact_id: await newContact(world) },
    }),
    refs: { 'path.conversation_id': 'conversation_not_found', 'body.contact_id': 'contact_not_found' },
  },
  'GET /v1/conversations/{conversation_id}/timeline': ofConversation,
};
