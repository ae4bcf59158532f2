import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findConversation } from './queries.ts';
import type { Conversation } from './schema.ts';

/** Returns the conversation if the key may see it. Errors: conversation_not_found, tenant_restricted_key. */
export async function getConversation(db: Db, scope: Scope, id: string, param?: string): Promise<Conversation> {
  return visible(scope, await findConversation(db, scope, id), 'conversation_not_found', param);
}
