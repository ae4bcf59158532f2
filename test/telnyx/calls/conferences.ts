/** Conferences. A leg leaves its bridge when it opens a conference, and is parked when it leaves the conference. */

import { randomUUID } from 'node:crypto';
import { time } from '../../support/emulator-time.ts';
import { ok, orNotFound, Refusal } from '../replies.ts';
import type { Route } from '../routes.ts';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';
import { answerOnce, checkAnswered, checkEmulated, clientStateOf, findLive } from './commands.ts';
import type { CallHooks, Leg } from './hooks.ts';
import { leaveBridge } from './legs.ts';

const OF_CREATION = ['call_control_id', 'name', 'beep_enabled', 'client_state', 'command_id'];
const OF_LEAVING = ['call_control_id', 'beep_enabled', 'command_id'];

/** At Telnyx a conference ends after this time, also with participants. No test runs this long. */
const LIFE_MS = 4 * 3_600_000;

type Request = { readonly call_control_id: string; readonly name: string; readonly client_state?: string };

/** Returns the operations on conferences. They end with their last leg. */
export function conferenceRoutes(world: World): readonly Route[] {
  const { calls } = world.state;
  return [
    {
      name: 'POST /conferences',
      answer: (call) => answerOnce(calls, call, () => ok(open(world, call.body as Request))),
    },
    {
      name: 'POST /conferences/{id}/actions/leave',
      answer: (call) =>
        answerOnce(calls, call, () => {
          const members = orNotFound(calls.conferences.get(call.params['id'] ?? ''));
          const body = call.body as Request;
          checkEmulated(body, OF_LEAVING);
          const leg = findLive(world.calls, body.call_control_id);
          if (!members.has(leg)) throw new Refusal('10015', 'the call is not in the conference');
          leaveConference(world, leg);
          return ok({ result: 'ok' });
        }),
    },
  ];
}

function open(world: World, body: Request): unknown {
  checkEmulated(body, OF_CREATION);
  const leg = findLive(world.calls, body.call_control_id);
  checkAnswered(leg);
  leg.client_state = clientStateOf(body) ?? leg.client_state;
  leaveBridge(world, leg);
  leaveConference(world, leg);
  const id = randomUUID();
  world.state.calls.conferences.set(id, new Set([leg]));
  const now = nowText();
  world.calls.report(leg, 'conference.created', { conference_id: id, occurred_at: now });
  world.calls.report(leg, 'conference.participant.joined', { conference_id: id });
  const expires_at = new Date(time.now() + LIFE_MS).toISOString();
  return { record_type: 'conference', id, name: body.name, created_at: now, updated_at: now, expires_at };
}

/** Returns the hooks that take a leg out of its conference when it is bridged or ends. */
export function conferenceHooks(world: World): Partial<CallHooks> {
  return {
    onBridged: (one, other) => {
      for (const leg of [one, other]) leaveConference(world, leg);
    },
    onLegEnded: (leg) => leaveConference(world, leg),
  };
}

/** Takes a leg out of its conference. The last leg ends the conference. */
function leaveConference({ calls, state }: World, leg: Leg): void {
  const { conferences } = state.calls;
  for (const [conference_id, members] of conferences) {
    if (!members.delete(leg)) continue;
    calls.report(leg, 'conference.participant.left', { conference_id });
    if (members.size > 0) continue;
    conferences.delete(conference_id);
    calls.report(leg, 'conference.ended', { conference_id, reason: 'all_left', occurred_at: nowText() });
  }
}
