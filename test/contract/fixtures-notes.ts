import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import { newConversation } from './fixtures-conversations.ts';

/** Requests of notes at conversations. */
export const NOTE_FIXTURES: Readonly<Record<string, Fixture>> = {
  'GET /v1/conversations/{conversation_id}/notes': {
    make: async (world) => ({ path: { conversation_id: await newConversation(world) } }),
    refs: { 'path.conversation_id': 'conversation_not_found' },
  },
  'POST /v1/conversations/{conversation_id}/notes': {
    make: async (world) => ({
      path: { conversation_id: await newConversation(world) },
      body: { body: `Prefers mornings. ${randomUUID()}`, author: 'Ann' },
    }),
    refs: { 'path.conversation_id': 'conversation_not_found' },
  },
  'DELETE /v1/conversations/{conversation_id}/notes/{note_id}': {
    make: async (world) => {
      const conversation_id = await newConversation(world);
      const note = await world.must('POST', `/v1/conversations/${conversation_id}/notes`, {
        body: 'Prefers mornings.',
      });
      return { path: { conversation_id, note_id: note.id } };
    },
    refs: { 'path.conversation_id': 'conversation_not_found', 'path.note_id': 'note_not_found' },
  },
};
