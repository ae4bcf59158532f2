/** The operations on calls, and what follows from them. */
import { ok, orNotFound } from '../replies.ts';
import type { Route } from '../routes.ts';
import type { World } from '../world.ts';
import { actionRoutes } from './actions.ts';
import { answerOnce } from './commands.ts';
import { conferenceHooks, conferenceRoutes } from './conferences.ts';
import { type DialRequest, dial } from './dial.ts';
import { logHooks } from './leg-log.ts';
import { peopleHooks } from './people.ts';
import { playerHooks } from './player.ts';
import { shown } from './views.ts';

/** Returns the operations on calls, and lets people take part in them from now on. */
export function callRoutes(world: World): readonly Route[] {
  const { calls, state } = world;
  // The player is the first: a speech ends before the other hooks learn of the end of its leg.
  for (const hooks of [playerHooks(world), conferenceHooks(world), logHooks(world), peopleHooks(world)])
    calls.hooks.add(hooks);
  return [
    {
      name: 'POST /calls',
      answer: (call) => answerOnce(state.calls, call, () => dial(world, call.body as DialRequest)),
    },
    { name: 'GET /calls/{id}', answer: ({ params }) => ok(shown(orNotFound(calls.find(params['id'] ?? '')))) },
    ...actionRoutes(world),
    ...conferenceRoutes(world),
  ];
}
