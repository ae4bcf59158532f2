/** Conferences: a leg that opens one leaves its bridge for it, and one that leaves a conference is parked. */
import { randomUUID } from 'node:crypto';
import { ok, orNotFound, Refusal } from '../replies.ts';
import type { Route } from '../routes.ts';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';
import { answerOnce, checkAnswered, checkEmulated, clientStateOf, findLive } from './commands.ts';
import type { CallHooks, Leg } from './hooks.ts';
import { leaveBridge } from './legs.ts';

const OF_CREATION = ['call_control_id', 'name', 'beep_enabled', 'client_state', 'command_id'];
const OF_LEAVING = ['call_control_id', 'beep_enabled', 'command_id'];

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
  return { record_type: 'conference', id, name: body.name, created_at: now, updated_at: now, expires_at: now };
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

/** Takes a leg out of the conference that it is in. */
function leaveConference({ state }: World, leg: Leg): void {
  for (const [id, members] of state.calls.conferences) {
    members.delete(leg);
    if (members.size === 0) state.calls.conferences.delete(id);
  }
}
