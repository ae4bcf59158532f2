import type { Context } from '../../../../context.ts';
import type { Db, Tx } from '../../../../db/database.ts';
import { ApiError, type FieldError } from '../../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../../lib/errors/field-errors.ts';
import { newId } from '../../../../lib/ids.ts';
import { isSipPhone, isWebClient } from '../../../../lib/phone/agent-address.ts';
import { isDialable } from '../../../../lib/phone/phone.ts';
import { type Scope, visible } from '../../../../lib/scope.ts';
import { checkBalance } from '../../../billing/index.ts';
import { OPTED_OUT } from '../../../messaging/index.ts';
import {
  APPLICATION,
  type Caller,
  type CallParties,
  checkDestination,
  fillRelay,
  lockCaller,
  RELAY,
} from '../../../numbers/index.ts';
import { findActiveWebClient } from '../../web-clients/queries.ts';
import { openCall } from '../execution/executor.ts';
import { beginClickToCall } from '../machine/outbound.ts';
import { messageOf, requireDetection, toDetection, wrongMessage } from '../machine-detection.ts';
import type { Call, PlaceCall } from '../schema.ts';

const SAME_PARTY = 'The agent cannot be at the number that is called.';

/**
 * Checks that both parties can be dialled and are different, and checks the message for a machine. Errors:
 * invalid_to_number, invalid_connect_to, invalid_body.
 */
export function checkDialable(wanted: PlaceCall): void {
  const { to, connect_to: agent, machine_detection } = wanted;
  refuseFields([
    ...(isDialable(to) ? [] : [fieldError('to', 'invalid_to_number')]),
    ...(isSoftware(agent) || isDialable(agent) || isWebClient(agent) || isSipPhone(agent)
      ? []
      : [fieldError('connect_to', 'invalid_connect_to')]),
    ...checkAgent(wanted),
    ...(isDialable(to) && agent === to ? [fieldError('connect_to', 'invalid_connect_to', SAME_PARTY)] : []),
    ...(machine_detection === undefined ? [] : wrongMessage(machine_detection)),
  ]);
}

/** Returns true if software speaks to the customer of a call with this agent. */
function isSoftware(agent: string): boolean {
  return agent === APPLICATION || agent === RELAY;
}

/** Checks that `relay` is given if, and only if, `connect_to` is `relay`. Errors: missing_fields, invalid_body. */
function checkAgent({ connect_to, relay }: PlaceCall): FieldError[] {
  if (connect_to === RELAY && relay === undefined) return [fieldError('relay', 'missing_fields', NO_AGENT)];
  return connect_to !== RELAY && relay !== undefined ? [fieldError('relay', 'invalid_body', NO_RELAY)] : [];
}

/** Returns true if software speaks to the customer of the call, or to an answering machine of the customer. */
function speaksBySoftware({ connect_to: agent, machine_detection }: PlaceCall): boolean {
  return isSoftware(agent) || machine_detection?.on_machine === 'leave_message';
}

const NO_AGENT = '"relay" is required with a "connect_to" of "relay".';
const NO_RELAY = '"relay" is only allowed with a "connect_to" of "relay".';

/**
 * Judges a click-to-call between parties that `checkDialable` has checked. Writes nothing.
 * Errors in order: from_number_not_found, tenant_restricted_key, web_client_not_found, invalid_to_number or
 * invalid_connect_to (the number itself), carrier_unavailable, invalid_body (no detection of machines at the carrier),
 * destination_not_supported, invalid_connect_to (no telephone of the tenant), recipient_opted_out,
 * insufficient_balance.
 */
export async function judgeCall(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  scope: Scope,
  wanted: PlaceCall,
): Promise<Caller> {
  const { to, connect_to: agent } = wanted;
  const caller = await requireCaller(tx, scope, wanted);
  const { number, destinations } = caller;
  if (isWebClient(agent)) {
    await requireWebClient(tx, scope, { id: agent, tenantId: number.tenant_id, param: 'connect_to' });
  }
  refuseItself(number, { to, connect_to: agent });
  carriers.requireOpen('voice', scope, number.voice_connection_id);
  if (wanted.machine_detection !== undefined) requireDetection({ carriers }, scope, number.voice_connection_id);
  checkDestination(to, destinations, 'to');
  if (isSipPhone(agent)) requireTelephone(carriers, scope, { number, address: agent });
  else if (!isSoftware(agent) && !isWebClient(agent)) checkDestination(agent, destinations, 'connect_to');
  if (caller.isOptedOut && speaksBySoftware(wanted)) {
    throw new ApiError('recipient_opted_out', { param: 'to', message: OPTED_OUT.call });
  }
  checkBalance(scope, caller.balanceMicros, 'traffic');
  return caller;
}

type Required = {
  readonly requireSpeech: () => void;
  /** Returns the audio of a message for a machine; undefined for a text. Throws if the audio could not be fetched. */
  readonly requireMessage: () => string | undefined;
};

/**
 * Starts a click-to-call: the agent is dialled, and after the agent's answer the customer. Both see the tenant's number
 * as the caller. A recording is always announced to both. Emits call.placed. Errors in order: the errors of
 * `judgeCall`, speech_unavailable, invalid_url and rate_limited (the audio of a message).
 */
export async function placeCall(
  { carriers, requireSpeech, requireMessage }: Pick<Context, 'carriers'> & Required,
  tx: Tx,
  scope: Scope,
  wanted: PlaceCall,
): Promise<Call> {
  const { to, connect_to: agent, transcribe = false, record = false, listening_announcement = null } = wanted;
  const relay = wanted.relay === undefined ? undefined : fillRelay(wanted.relay);
  const { number, now: at } = await judgeCall({ carriers }, tx, scope, wanted);
  const { voice_connection_id: connectionId } = number;
  const port = carriers.voice(scope, connectionId);
  const { machine_detection: wantedDetection } = wanted;
  const isSpoken = wantedDetection !== undefined && messageOf(wantedDetection)?.text !== undefined;
  if (record || listening_announcement !== null || relay !== undefined || isSpoken) requireSpeech();
  const detection = wantedDetection && toDetection(port, wantedDetection, requireMessage());
  const id = newId('call');
  const ids = { id, recordingId: newId('recording'), voicemailRecordingId: newId('recording') };
  const from = number.phone_number;
  const begun = beginClickToCall(
    {
      ...{ ...ids, number: from, customer: to, agent, relay, record, announce: true, transcribe, limits: port.limits },
      listeningAnnouncement: listening_announcement,
      ...(detection && { detection }),
    },
    at.getTime(),
  );
  const { tenant_id: tenantId, id: phoneNumberId } = number;
  const conversationId = newId('conversation');
  const call = { id, tenantId, phoneNumberId, conversationId, from, to, connectTo: agent, record, connectionId };
  return (await openCall(tx, scope, { ...call, direction: 'outbound' }, { begun, at })) as Call;
}

/**
 * Refuses a call of a number to itself, and an agent at the number that the call is made from.
 * Errors: invalid_to_number, invalid_connect_to.
 */
export function refuseItself({ phone_number: from }: { phone_number: string }, called: Record<string, string>): void {
  if (called['to'] === from) {
    throw new ApiError('invalid_to_number', { param: 'to', message: 'A number cannot call itself.' });
  }
  if (called['connect_to'] === from) {
    const message = 'The agent cannot be at the number that the call is made from.';
    throw new ApiError('invalid_connect_to', { param: 'connect_to', message });
  }
}

type WantedTelephone = {
  /** The number of the call. The telephone must be at the carrier of this number. */
  readonly number: Pick<Caller['number'], 'tenant_id' | 'voice_connection_id'>;
  readonly address: string;
};

function requireTelephone(
  { hasTelephone }: Pick<Context['carriers'], 'hasTelephone'>,
  scope: Scope,
  { number, address }: WantedTelephone,
): void {
  const { tenant_id: tenantId, voice_connection_id: connectionId } = number;
  if (!hasTelephone(scope, { tenantId, address }, connectionId)) throw noTelephone('connect_to');
}

/** Returns the error of a telephone that the tenant does not have at the carrier of the call. */
export function noTelephone(param: string): ApiError {
  const message = 'The tenant has no telephone of this name at the carrier of the number.';
  return new ApiError('invalid_connect_to', { param, message });
}

/**
 * Requires an active web client of the tenant. Error: web_client_not_found, with the field that names the web client.
 */
export async function requireWebClient(
  db: Db,
  scope: Scope,
  { id, tenantId, param }: { id: string; tenantId: string; param: string },
): Promise<void> {
  const webClient = await findActiveWebClient(db, scope, id);
  if (webClient?.tenant_id !== tenantId) throw new ApiError('web_client_not_found', { param });
}

/**
 * Returns the number that a call is made from, by its id or E.164: active, and capable of voice. Locks its tenant, so
 * that neither the tenant nor the number is deleted while the call is placed.
 * Errors: from_number_not_found, tenant_restricted_key.
 */
export async function requireCaller(tx: Tx, scope: Scope, parties: CallParties): Promise<Caller> {
  const found = await lockCaller(tx, scope, parties);
  const isUsable = found?.number.status === 'active' && found.number.capabilities.includes('voice');
  visible(scope, isUsable ? found.number : undefined, 'from_number_not_found', 'from');
  return found as Caller;
}
