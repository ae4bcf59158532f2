/** Commands on legs: which leg, whether it can take them, and repeats. */
import { time } from '../../support/emulator-time.ts';
import { ok, orNotFound, Refusal, type Reply } from '../replies.ts';
import type { Call } from '../routes.ts';
import type { CallsState } from './calls-state.ts';
import { cancelPlans } from './clock.ts';
import type { Calls, Command, Leg } from './hooks.ts';

/** How long the repeat of a command is ignored. */
const COMMAND_KEPT_MS = 60_000;
/** The form of a `call_control_id`. */
const LEG_ID = /^v3:[\w-]{20,200}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Carries out a command on a leg, with its `client_state`. */
export function runCommand(state: CallsState, leg: Leg, body: unknown, act: Command): Reply {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const before = leg.client_state;
  leg.client_state = clientStateOf(fields) ?? before;
  try {
    const more = act(leg, fields);
    cancelPlans(state.plans, leg, 'first_command');
    return ok({ result: 'ok', ...more });
  } catch (error) {
    leg.client_state = before;
    throw error;
  }
}

/** Returns the `client_state` of a request, or null. Refuses one that is not base64. */
export function clientStateOf({ client_state: text }: Readonly<Record<string, unknown>>): string | null {
  if (typeof text !== 'string') return null;
  if (BASE64.test(text)) return text;
  throw new Refusal('10015', 'client_state must be base64', { pointer: '/client_state' });
}

/** Returns a leg that has not ended, or refuses. */
export function findLive({ find }: Pick<Calls, 'find'>, id: string): Leg {
  if (!LEG_ID.test(id)) throw new Refusal('90015', 'The call control id is invalid.');
  const leg = orNotFound(find(id));
  if (leg.state === 'ended') throw new Refusal('90018', 'This call is no longer active and can not receive commands.');
  return leg;
}

/** Refuses a leg that is not answered. */
export function checkAnswered({ state }: Leg): void {
  if (state !== 'answered') throw new Refusal('90034', 'This call can not receive this command before its answer.');
}

/**
 * Carries out a request. A repeated `command_id` on the same leg, or of a dial, gets the reply of the first request.
 */
export function answerOnce({ commands }: CallsState, { params, body }: Call, answer: () => Reply): Reply {
  const { command_id: id } = (body ?? {}) as { command_id?: string };
  if (id === undefined) return answer();
  const now = time.now();
  for (const [key, { atMs }] of commands) {
    if (now - atMs <= COMMAND_KEPT_MS) break;
    commands.delete(key);
  }
  const key = `${params['id'] ?? 'dial'} ${id}`;
  const before = commands.get(key);
  if (before !== undefined) return before.reply;
  const reply = answer();
  commands.set(key, { atMs: now, reply });
  return reply;
}

/** Refuses a request with a field that the emulator does not carry out. */
export function checkEmulated(body: object, emulated: readonly string[]): void {
  for (const field of Object.keys(body)) {
    if (emulated.includes(field)) continue;
    throw new Refusal('10015', `the emulator does not carry out ${field}`, { pointer: `/${field}` });
  }
}
