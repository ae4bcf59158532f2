/** The commands on a call, except the commands of its audio. */
import { Refusal } from '../replies.ts';
import type { Route } from '../routes.ts';
import type { World } from '../world.ts';
import type { Source } from './calls-state.ts';
import { checkAnswered, checkEmulated, findLive } from './commands.ts';
import { TIME_LIMIT_SECS } from './dial.ts';
import type { Leg } from './hooks.ts';
import { answerLeg, bridgeLegs, endLeg, tell } from './legs.ts';
import { play, stopPlaying } from './player.ts';

type Fields = Readonly<Record<string, unknown>>;

const OF_ALL = ['client_state', 'command_id'];
const OF_ANSWER = [...OF_ALL, 'webhook_url', 'preferred_codecs', 'send_silence_when_idle', 'custom_headers'];
const OF_BRIDGE = ['call_control_id', 'park_after_unbridge', 'prevent_double_bridge', 'play_ringtone', 'ringtone'];
const OF_SPEAK = ['payload', 'payload_type', 'voice', 'voice_settings', 'language', 'service_level', 'loop', 'stop'];
const OF_PLAYBACK = [
  'audio_url',
  'audio_type',
  'playback_content',
  'cache_audio',
  'loop',
  'stop',
  'target_legs',
  'overlay',
];
const DIGITS = /^[\dA-DwW*#]{1,64}$/;
const PAYLOAD_MAX = 3_000;
const RUNS_MAX = 100;
const CAUSES = { CALL_REJECTED: 'call_rejected', USER_BUSY: 'user_busy' } as const;

/** Returns the commands on calls. */
export function actionRoutes(world: World): readonly Route[] {
  const { command } = world.calls;
  return [
    command('answer', (leg, body) => answer(world, leg, body), true),
    command('reject', (leg, { cause }) => reject(world, leg, cause as keyof typeof CAUSES), true),
    command(
      'hangup',
      (leg) => {
        const isCancel = leg.direction === 'outgoing' && leg.state !== 'answered';
        endLeg(world, leg, { cause: isCancel ? 'originator_cancel' : 'normal_clearing', by: 'account' });
        return undefined;
      },
      true,
    ),
    command('bridge', (leg, body) => bridge(world, leg, body)),
    command('send_dtmf', (leg, { digits }) => {
      if (!DIGITS.test(`${digits}`)) throw new Refusal('10015', 'digits are 0-9, A-D, * and #', { pointer: '/digits' });
      tell(world, (hooks) => hooks.onDigitsSent?.(leg, `${digits}`));
      return undefined;
    }),
    ...playRoutes(world),
  ];
}

function playRoutes(world: World): readonly Route[] {
  const { command } = world.calls;
  return [
    command('speak', (leg, body) => {
      checkEmulated(body, [...OF_ALL, ...OF_SPEAK, 'target_legs']);
      const { payload, payload_type, stop } = body;
      const text = payload_type === 'ssml' ? `${payload}`.replace(/<[^>]*>/g, '') : `${payload}`;
      if (text.trim() === '' || text.length > PAYLOAD_MAX) {
        throw new Refusal('10015', `a payload has 1 to ${PAYLOAD_MAX} characters`, { pointer: '/payload' });
      }
      const isOverlay = false;
      play(world, leg, { source: { text }, targets: targetsOf(body), runs: runsOf(body), stop, isOverlay });
      return undefined;
    }),
    command('playback_start', (leg, body) => {
      checkEmulated(body, [...OF_ALL, ...OF_PLAYBACK]);
      const { stop } = body;
      const isOverlay = body['overlay'] === true;
      play(world, leg, { source: sourceOf(body), targets: targetsOf(body), runs: runsOf(body), stop, isOverlay });
      return undefined;
    }),
    command('playback_stop', (leg, body) => {
      checkEmulated(body, [...OF_ALL, 'stop', 'overlay']);
      stopPlaying(world, leg, { stop: body['stop'], isOverlay: body['overlay'] === true });
      return undefined;
    }),
  ];
}

function answer(world: World, leg: Leg, body: Fields): undefined {
  checkEmulated(body, OF_ANSWER);
  if (leg.state !== 'parked') throw new Refusal('10015', 'Only an incoming call that is not answered can be answered.');
  const { webhook_url: url } = body;
  if (typeof url === 'string') leg.urls = [url];
  answerLeg(world, leg, TIME_LIMIT_SECS * 1_000);
}

function reject(world: World, leg: Leg, cause: keyof typeof CAUSES): undefined {
  if (leg.state !== 'parked') throw new Refusal('10015', 'Only an incoming call that is not answered can be rejected.');
  endLeg(world, leg, { cause: CAUSES[cause], by: 'account' });
}

function bridge(world: World, leg: Leg, body: Fields): undefined {
  checkEmulated(body, [...OF_ALL, ...OF_BRIDGE]);
  const other = findLive(world.calls, `${body['call_control_id']}`);
  checkAnswered(other);
  const pointer = '/call_control_id';
  if (other === leg) throw new Refusal('10015', 'a call cannot be bridged with itself', { pointer });
  if (body['prevent_double_bridge'] === true && other.partner !== null && other.partner !== leg) {
    throw new Refusal('10015', 'the other call is bridged already', { pointer });
  }
  leg.parksAfterUnbridge = body['park_after_unbridge'] === 'self';
  bridgeLegs(world, leg, other);
}

function sourceOf({ audio_url: url, playback_content: content }: Fields): Source {
  if (typeof url === 'string' && content === undefined) return { url };
  if (typeof content === 'string' && url === undefined) return { audio: Buffer.from(content, 'base64') };
  throw new Refusal('10015', 'either audio_url or playback_content is needed', { pointer: '/audio_url' });
}

function targetsOf({ target_legs: targets = 'self' }: Fields): string {
  if (['self', 'opposite', 'both'].includes(`${targets}`)) return `${targets}`;
  throw new Refusal('10015', 'target_legs must be self, opposite or both', { pointer: '/target_legs' });
}

function runsOf({ loop = 1 }: Fields): number {
  if (loop === 'infinity') return Number.POSITIVE_INFINITY;
  const runs = Number(loop);
  if (Number.isInteger(runs) && runs >= 1 && runs <= RUNS_MAX) return runs;
  throw new Refusal('10015', `loop must be 1 to ${RUNS_MAX}, or infinity`, { pointer: '/loop' });
}
