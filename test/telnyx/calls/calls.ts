/** Finds legs, reports about them, and carries out commands on them. */
import { time } from '../../support/emulator-time.ts';
import type { Webhooks } from '../webhooks.ts';
import type { CallsState } from './calls-state.ts';
import { answerOnce, checkAnswered, findLive, runCommand } from './commands.ts';
import type { CallHooks, Calls } from './hooks.ts';

/** How long a leg can be read after its end. */
const LEG_KEPT_MS = 10 * 60_000;

/** Creates the lines of an emulator. */
export function createCalls(state: CallsState, webhooks: Webhooks): Calls {
  const calls: Calls = {
    hooks: new Set<Partial<CallHooks>>(),
    find: (id) => {
      const leg = state.legs.get(id);
      const endMs = Date.parse(leg?.end_time ?? '');
      return time.now() - endMs > LEG_KEPT_MS ? undefined : leg;
    },
    report: (leg, type, more = {}) => {
      const { call_control_id, call_leg_id, call_session_id, connection_id, client_state, urls } = leg;
      const ids = { call_control_id, call_leg_id, call_session_id, connection_id };
      const payload = { ...ids, ...(client_state !== null && { client_state }), ...more };
      webhooks.send({ type, payload, about: call_control_id, urls });
    },
    command: (action, act, isEarly = false) => ({
      name: `POST /calls/{id}/actions/${action}`,
      answer: (call) =>
        answerOnce(state, call, () => {
          const leg = findLive(calls, call.params['id'] ?? '');
          if (!isEarly) checkAnswered(leg);
          return runCommand(state, leg, call.body, act);
        }),
    }),
  };
  return calls;
}
