import type { Database } from '../../src/db/database.ts';
import { seeNode } from '../../src/domain/voice/index.ts';
import { sql } from './jobs.ts';

/** Records the heartbeat of a gateway. It counts for an hour, so that the gateway is up however long the test takes. */
export async function keepNode(db: Database, nodeId: string, isDraining = false): Promise<void> {
  await seeNode(db, { nodeId, url: 'ws://127.0.0.1:1', isDraining });
  const text = `update gateway_nodes set seen_at = clock_timestamp() + interval '1 hour' where node_id = $1`;
  await sql(db, text, [nodeId]);
}
