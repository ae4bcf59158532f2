/** Finds legs, reports about them, and carries out commands on them. */
import { ok, orNotFound, Refusal, type Reply } from '../replies.ts';
import type { Call } from '../routes.ts';
import type { Webhooks } from '../webhooks.ts';
import type { CallsState } from './calls-state.ts';
import type { CallHooks, Calls, Command, Leg } from './hooks.ts';

/** How long the repeat of a command is ignored. */
const COMMAND_KEPT_MS = 60_000;
/** How long a leg can be read after its end. */
const LEG_KEPT_MS = 10 * 60_000;
/** What `call_control_id` looks like. */
const LEG_ID = /^v3:[\w-]{20,200}$/;

/** Creates the lines of an emulator. */
export function createCalls(state: CallsState, webhooks: Webhooks): Calls {
  const find = (id: string): Leg | undefined => {
    const leg = state.legs.get(id);
    const endMs = Date.parse(leg?.end_time ?? '');
    return Date.now() - endMs > LEG_KEPT_MS ? undefined : leg;
  };
  return {
    hooks: new Set<CallHooks>(),
    find,
    report: (leg, type, more = {}) => {
      const { call_control_id, call_leg_id, call_session_id, connection_id, client_state, urls } = leg;
      const ids = { call_control_id, call_leg_id, call_session_id, connection_id };
      const payload = { ...ids, ...(client_state !== null && { client_state }), ...more };
      webhooks.send({ type, payload, about: call_control_id, urls });
    },
    command: (action, act) => ({
      name: `POST /calls/{id}/actions/${action}`,
      answer: (call) => answerOnce(state, call, () => command(find, call, act)),
    }),
  };
}

function command(find: Calls['find'], { params, body }: Call, act: Command): Reply {
  const leg = findLeg(find, params['id'] ?? '');
  if (leg.state === 'ended') throw new Refusal('90018', 'This call is no longer active and can not receive commands.');
  if (leg.state !== 'answered') throw new Refusal('90034', 'This call can not receive this command before its answer.');
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const more = act(leg, fields);
  if (typeof fields['client_state'] === 'string') leg.client_state = fields['client_state'];
  return ok({ result: 'ok', ...more });
}

function findLeg(find: Calls['find'], id: string): Leg {
  if (!LEG_ID.test(id)) throw new Refusal('90015', 'The call control id is invalid.');
  return orNotFound(find(id));
}

/** Carries out a request, or returns the reply to the same `command_id` on the same leg. */
function answerOnce({ commands }: CallsState, { params, body }: Call, answer: () => Reply): Reply {
  const { command_id: id } = (body ?? {}) as { command_id?: string };
  if (id === undefined) return answer();
  const now = Date.now();
  for (const [key, { atMs }] of commands) {
    if (now - atMs <= COMMAND_KEPT_MS) break;
    commands.delete(key);
  }
  const key = `${params['id'] ?? ''} ${id}`;
  const before = commands.get(key);
  if (before !== undefined) return before.reply;
  const reply = answer();
  commands.set(key, { atMs: now, reply });
  return reply;
}
