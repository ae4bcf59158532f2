/** Calls from the account to people. */
import { AREA_CODE_COUNTRY, TOLL_FREE_AREA_CODES } from '../../../src/lib/phone/nanp.ts';
import { isE164 } from '../../../src/lib/phone/phone.ts';
import { time } from '../../support/emulator-time.ts';
import { checkBalance } from '../account.ts';
import { ok, Refusal, type Reply } from '../replies.ts';
import { findOwned } from '../state.ts';
import type { World } from '../world.ts';
import { urlsOf } from './applications.ts';
import type { Application, OutboundProfile } from './calls-state.ts';
import { plan } from './clock.ts';
import { checkEmulated, clientStateOf, findLive } from './commands.ts';
import type { Leg } from './hooks.ts';
import { answerLeg, bridgeLegs, endLeg, startLeg } from './legs.ts';
import { detectMachine } from './machines.ts';
import { ring } from './people.ts';
import { shown } from './views.ts';

export type DialRequest = {
  readonly connection_id: string;
  readonly from: string;
  readonly to: string | readonly string[];
  readonly client_state?: string;
  readonly link_to?: string;
  readonly bridge_intent?: boolean;
  readonly bridge_on_answer?: boolean;
  readonly prevent_double_bridge?: boolean;
  readonly park_after_unbridge?: string;
  readonly timeout_secs?: number;
  readonly time_limit_secs?: number;
  readonly retry_on_timeout?: boolean;
  readonly answering_machine_detection?: string;
  readonly webhook_url?: string;
};

/** The fields that the emulator carries out, or that change nothing in it. */
const EMULATED = [
  ...['connection_id', 'from', 'to', 'client_state', 'command_id', 'link_to', 'bridge_intent', 'bridge_on_answer'],
  ...['prevent_double_bridge', 'park_after_unbridge', 'timeout_secs', 'time_limit_secs', 'retry_on_timeout'],
  ...[
    'answering_machine_detection',
    'webhook_url',
    'from_display_name',
    'privacy',
    'preferred_codecs',
    'send_silence_when_idle',
    'custom_headers',
  ],
];
const TIMEOUT_SECS = { least: 5, most: 600, usual: 30 };
/** Numbers that require an emergency address of the caller: help, and its test. */
const EMERGENCY = new Set(['911', '933']);
/** Four hours: the default, and the longest limit. */
export const TIME_LIMIT_SECS = 14_400;
/** A call is refused when the balance is below this many USD. */
const PRICE = 0.01;
/** Dials that an account may make: 30 a second, counted over five seconds. */
const DIALS_MAX = 150;
const DIALS_WINDOW_MS = 5_000;
/** Calls that a new account may have at once. */
const NEW_ACCOUNT_CALLS_MAX = 2;

/** Calls a person. The reply comes before anything else happens. */
export function dial(world: World, request: DialRequest): Reply {
  checkEmulated(request, EMULATED);
  const linked = request.link_to === undefined ? undefined : findLive(world.calls, request.link_to);
  checkLink(request, linked);
  const { to, answering_machine_detection: detection = 'disabled' } = request;
  if (detection !== 'disabled' && detection !== 'premium') {
    throw new Refusal('10015', 'the emulator has the premium detection of machines alone', {
      pointer: '/answering_machine_detection',
    });
  }
  const from = request.bridge_intent && linked !== undefined ? linked.from : request.from;
  if (typeof to !== 'string') throw new Refusal('10015', 'the emulator dials one number', { pointer: '/to' });
  const isEmergency = EMERGENCY.has(to);
  if (!isE164(to) && !isEmergency && !to.startsWith('sip:'))
    throw new Refusal('10016', `${to} is no number`, { pointer: '/to' });
  if (!isE164(from)) throw new Refusal('10016', `${from} is no number`, { pointer: '/from' });
  const timeoutMs = 1_000 * secondsOf(request, 'timeout_secs', TIMEOUT_SECS);
  const limitMs =
    1_000 * secondsOf(request, 'time_limit_secs', { least: 30, most: TIME_LIMIT_SECS, usual: TIME_LIMIT_SECS });
  const { application, profile } = outboundOf(world, request.connection_id);
  checkBalance(world.state, PRICE);
  countDial(world.state);
  const leg = startLeg(world, {
    connection_id: application.id,
    direction: 'outgoing',
    from,
    to,
    urls: urlsOf(application, request.webhook_url),
    client_state: clientStateOf(request),
    parksAfterUnbridge: request.park_after_unbridge === 'self',
    ...(linked && { call_session_id: linked.call_session_id }),
  });
  const reply = ok({ ...shown(leg), is_alive: false });
  const { plans } = world.state.calls;
  const cause = request.retry_on_timeout === false ? 'no_answer' : 'timeout';
  plan(plans, { leg, ms: timeoutMs, kind: 'ring', isAwaited: false }, () =>
    endLeg(world, leg, { cause, by: 'carrier', sip: '487' }),
  );
  if (isAllowed(world, leg, profile)) ring(world, leg, () => answered(world, leg, { request, linked, limitMs }));
  else plan(plans, { leg, ms: 0 }, () => endLeg(world, leg, { cause: 'call_rejected', by: 'carrier', sip: '403' }));
  return reply;
}

type Dialed = { readonly request: DialRequest; readonly linked: Leg | undefined; readonly limitMs: number };

/** The person answers; the leg is bridged if the request asks for it. */
function answered(world: World, leg: Leg, { request, linked, limitMs }: Dialed): void {
  answerLeg(world, leg, limitMs);
  if (request.answering_machine_detection === 'premium') detectMachine(world, leg);
  // Telnyx does not document whether it bridges with an unanswered call. Here the leg then waits for commands.
  if (!request.bridge_on_answer || linked?.state !== 'answered') return;
  if (request.prevent_double_bridge && linked.partner !== null) {
    endLeg(world, leg, { cause: 'normal_clearing', by: 'account' });
    return;
  }
  bridgeLegs(world, leg, linked);
}

function checkLink(request: DialRequest, linked: Leg | undefined): void {
  const { bridge_intent, bridge_on_answer, park_after_unbridge } = request;
  if (linked !== undefined || !(bridge_intent || bridge_on_answer || park_after_unbridge !== undefined)) return;
  throw new Refusal('10015', 'bridge_intent, bridge_on_answer and park_after_unbridge need link_to', {
    pointer: '/link_to',
  });
}

type Range = { readonly least: number; readonly most: number; readonly usual: number };

function secondsOf(request: DialRequest, name: 'timeout_secs' | 'time_limit_secs', { least, most, usual }: Range) {
  const seconds = request[name] ?? usual;
  if (Number.isInteger(seconds) && seconds >= least && seconds <= most) return seconds;
  throw new Refusal('10015', `${name} must be ${least} to ${most}`, { pointer: `/${name}` });
}

/** Refuses dials above the limit, and counts the others. */
function countDial({ calls: { dials } }: World['state']): void {
  const now = time.now();
  for (const dial of dials) if (dial.atMs <= now - DIALS_WINDOW_MS) dials.delete(dial);
  if (dials.size >= DIALS_MAX) throw new Refusal('90103', 'The account dials too often.');
  dials.add({ atMs: now });
}

/** Returns the application and the profile that a call goes out by. Refuses if they let no call out. */
function outboundOf(
  { state, settings }: World,
  connectionId: string,
): { application: Application; profile: OutboundProfile } {
  const { applications, outboundProfiles, legs } = state.calls;
  const application = applications.get(connectionId);
  if (!application?.active) {
    throw new Refusal('10015', 'the account has no such active application', { pointer: '/connection_id' });
  }
  const profile = outboundProfiles.get(application.outbound.outbound_voice_profile_id ?? '');
  if (!profile?.enabled) throw new Refusal('10010', 'The application has no enabled outbound voice profile.');
  const live = [...legs.values()].filter(({ direction, state: at }) => direction === 'outgoing' && at !== 'ended');
  if (settings.newAccount && live.length >= NEW_ACCOUNT_CALLS_MAX) {
    throw new Refusal('90041', 'The account has no channel left.');
  }
  const ofProfile = live.filter(
    (leg) => applications.get(leg.connection_id)?.outbound.outbound_voice_profile_id === profile.id,
  );
  if (ofProfile.length >= (profile.concurrent_call_limit ?? Number.POSITIVE_INFINITY)) {
    throw new Refusal('90042', 'The outbound voice profile has no channel left.');
  }
  const ofApplication = live.filter((leg) => leg.connection_id === application.id);
  if (ofApplication.length >= (application.outbound.channel_limit ?? Number.POSITIVE_INFINITY)) {
    throw new Refusal('90043', 'The application has no channel left.');
  }
  return { application, profile };
}

/** True if the profile allows the destination, and `from` is a number of the account or of a caller on the line. */
function isAllowed({ state }: World, { from, to }: Leg, { whitelisted_destinations }: OutboundProfile): boolean {
  const isCaller = [...state.calls.legs.values()].some(
    (leg) => leg.direction === 'incoming' && leg.state !== 'ended' && leg.from === from,
  );
  const own = findOwned(state, from);
  if (EMERGENCY.has(to)) return own?.emergency_enabled === true;
  if (!isCaller && own === undefined) return false;
  const areaCode = /^\+1(\d{3})/.exec(to)?.[1] ?? '';
  const country = TOLL_FREE_AREA_CODES.has(areaCode) ? 'US' : AREA_CODE_COUNTRY.get(areaCode);
  if (country !== undefined) return whitelisted_destinations.includes(country);
  // The emulator does not distinguish other countries: the profile must allow one of them.
  return to.startsWith('sip:') || whitelisted_destinations.some((each) => each !== 'US' && each !== 'CA');
}
