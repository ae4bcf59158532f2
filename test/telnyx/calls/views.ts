import { time } from '../../support/emulator-time.ts';
import type { Leg } from './hooks.ts';

/** Returns a leg as the API shows it. */
export function shown(leg: Leg) {
  const { call_control_id, call_leg_id, call_session_id, client_state, start_time, end_time, state } = leg;
  const endMs = end_time === null ? time.now() : Date.parse(end_time);
  return {
    record_type: 'call',
    ...{ call_control_id, call_leg_id, call_session_id, client_state, start_time, end_time },
    is_alive: state !== 'ended',
    call_duration: Math.floor((endMs - Date.parse(start_time)) / 1_000),
  };
}
