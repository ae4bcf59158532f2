import type { Context } from '../../../../context.ts';
import { toInnerError } from '../../../../http/edge/envelope.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { OPTED_OUT, readQuietEnd } from '../../../messaging/index.ts';
import type { Caller } from '../../../numbers/index.ts';
import { checkRelay } from '../../relays/start-relay.ts';
import { checkMessageUrl } from '../machine-detection.ts';
import type { CallCheck, PlaceCall } from '../schema.ts';
import { checkDialable, judgeCall } from './place-call.ts';

type Checking = Pick<Context, 'db' | 'carriers' | 'settings'>;

/** Returns whether a call would be placed now, and the warnings that a person should read first. Changes nothing. */
export async function checkCall(
  context: Checking,
  scope: Scope,
  wanted: PlaceCall,
  requestId: string,
): Promise<CallCheck> {
  const { publicUrl } = context.settings;
  try {
    checkDialable(wanted);
    if (wanted.relay !== undefined) checkRelay(context.settings, scope, { url: wanted.relay.url, param: 'relay.url' });
    const caller = await context.db.transaction((tx) => judgeCall(context, tx, scope, wanted));
    if (wanted.machine_detection !== undefined) checkMessageUrl(context.settings, scope, wanted.machine_detection);
    return { accepted: true, error: null, warnings: await warningsOf(context, scope, wanted, caller) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return { accepted: false, error: toInnerError(error, { publicUrl, requestId }), warnings: [] };
  }
}

async function warningsOf(
  { db }: Checking,
  scope: Scope,
  wanted: PlaceCall,
  { isOptedOut }: Caller,
): Promise<CallCheck['warnings']> {
  const quietEnd = await readQuietEnd(db, scope, wanted);
  return [
    ...(isOptedOut ? [{ code: 'recipient_opted_out' as const, message: OPTED_OUT.call }] : []),
    ...(quietEnd === null
      ? []
      : [{ code: 'quiet_hours' as const, message: `Quiet hours of the tenant end at ${quietEnd.toISOString()}.` }]),
  ];
}
