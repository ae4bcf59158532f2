import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvent } from '../../events/index.ts';
import { requireStillFree } from './check-portability.ts';
import { submitJob } from './new-jobs.ts';
import { countSubmission, lockPortIn, movePortIn } from './queries.ts';
import { customerMachine } from './rules.ts';
import { type PortIn, portInStatusChanged } from './schema.ts';

const SUBMITTABLE = sourcesOf(customerMachine, 'in_review');

/**
 * Submits a port-in for review, or submits it again after a correction. A job sends it to the carrier.
 * Errors: port_in_not_found, tenant_restricted_key, carrier_unavailable, port_in_not_submittable, numbers_not_portable
 * (one of them is already here, or another port-in has requested it).
 */
export async function submitPortIn(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<PortIn> {
  const whole = await lockPortIn(tx, scope, id);
  const before = visible(scope, whole?.portIn, 'port_in_not_found');
  // Without a carrier the port-in would stay in review forever.
  const connectionId = whole?.hidden.connectionId ?? carriers.choose('porting', scope);
  carriers.requireOpen('porting', scope, connectionId);
  const moved = await movePortIn(tx, scope, { id, to: 'in_review', from: SUBMITTABLE });
  if (moved === undefined) throw new ApiError('port_in_not_submittable');
  await requireStillFree(tx, scope, { phoneNumbers: moved.phone_numbers, except: id });
  const attempt = await countSubmission(tx, scope, { id, connectionId });
  await emitEvent(tx, scope.ledgerId, portInStatusChanged(moved, before.status));
  await enqueue(tx, [submitJob(scope, id, attempt)]);
  return moved;
}
