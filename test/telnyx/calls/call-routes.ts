/** The operations on calls. */
import { ok, orNotFound } from '../replies.ts';
import type { Route } from '../routes.ts';
import type { World } from '../world.ts';
import type { Leg } from './hooks.ts';

/** Returns the operations on calls. */
export function callRoutes({ calls }: World): readonly Route[] {
  return [{ name: 'GET /calls/{id}', answer: ({ params }) => ok(shown(orNotFound(calls.find(params['id'] ?? '')))) }];
}

/** Returns a leg as the API shows it. */
function shown(leg: Leg) {
  const { call_control_id, call_leg_id, call_session_id, client_state, start_time, end_time, state } = leg;
  const endMs = end_time === null ? Date.now() : Date.parse(end_time);
  return {
    record_type: 'call',
    ...{ call_control_id, call_leg_id, call_session_id, client_state, start_time, end_time },
    is_alive: state !== 'ended',
    call_duration: Math.floor((endMs - Date.parse(start_time)) / 1000),
  };
}
