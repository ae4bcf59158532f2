import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { findReplay } from './queries.ts';
import type { WebhookReplay } from './schema.ts';

export type ReplayKey = { readonly endpointId: string; readonly replayId: string };

/** Errors: webhook_endpoint_not_found, replay_not_found. */
export async function getReplay(db: Db, ledger: Ledger, { endpointId, replayId }: ReplayKey): Promise<WebhookReplay> {
  await getEndpoint(db, ledger, endpointId);
  const replay = await findReplay(db, ledger, endpointId, replayId);
  if (replay === undefined) throw new ApiError('replay_not_found');
  return replay;
}
