/** Calls that telephones of tenants make, except calls to 911 and 933. */
import { ApiError } from '../../lib/errors/errors.ts';
import { newId } from '../../lib/ids.ts';
import { textAt } from '../../lib/json-object.ts';
import { ownValue } from '../../lib/own-value.ts';
import { sipPhoneOf } from '../../lib/phone/agent-address.ts';
import { readNumber } from '../../lib/phone/party.ts';
import { findNumberOwner } from '../connections/owner-queries.ts';
import type { VoiceEvent } from '../ports/voice.ts';
import type { TenantPhone } from './config/telephones.ts';
import { argument, type Heard } from './heard.ts';
import { arriveLeg } from './leg-queries.ts';

/** The engine's names for the SIP statuses of refused calls, by error: 404 and 503; 403 for any other error. */
const REFUSALS = { invalid_to_number: 'unallocated', carrier_unavailable: 'congestion' } as const;
const REFUSED = 'rejected';

/**
 * Passes a call of a telephone to the domain, which checks it like a web client's call. The telephone plays ringing
 * until the other party answers. If the call is refused, it gets the SIP status of the reason.
 */
export async function takeTelephoneCall(heard: Heard, phone: TenantPhone): Promise<void> {
  const { line, engine, event } = heard;
  const { db, connectionId } = line;
  const channelId = textAt(event, 'channel', 'id') ?? '';
  const refuse = async (code: string, reason: string) => {
    const about = { connection: connectionId, engine: engine.name, telephone: phone.name, code };
    line.log.info(about, 'a call of a telephone is refused');
    await engine.ask({ method: 'DELETE', path: `/channels/${channelId}`, query: { reason } });
  };
  const owner = await findNumberOwner(db, connectionId, phone.number);
  if (owner === undefined) return await refuse('from_number_not_found', REFUSED);
  const to = readNumber(argument(event, 1) ?? '');
  if (to === undefined) return await refuse('invalid_to_number', REFUSALS.invalid_to_number);
  const refs = { callRef: newId('call'), legRef: newId('call_leg') };
  const name = { ledgerId: owner.ledgerId, connectionId, legRef: refs.legRef };
  const dialled: VoiceEvent = {
    ...{ type: 'telephone.dialled' as const, ...refs, tenantId: phone.tenant, telephone: sipPhoneOf(phone.name) },
    ...{ from: phone.number, to, connectionId },
  };
  let isNew: boolean;
  try {
    // Leg and call commit together, as for any arrival.
    isNew = await db.transaction(async (tx) => {
      const leg = { callRef: refs.callRef, engine: engine.name, channelId, party: 'agent' } as const;
      if (!(await arriveLeg(tx, name, leg))) return false;
      await line.takeEvents(tx, owner, [dialled]);
      return true;
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return await refuse(error.code, ownValue(REFUSALS, error.code) ?? REFUSED);
  }
  if (isNew) await engine.ask({ method: 'POST', path: `/channels/${channelId}/ring` });
}
