import { randomUUID } from 'node:crypto';
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText, type Profile, type State } from './state.ts';

type ProfileRequest = Partial<Omit<Profile, 'record_type' | 'id' | 'created_at' | 'updated_at'>> & {
  readonly webhook_api_version?: string;
};

/** Returns the operations on messaging profiles. */
export function profileRoutes(state: State): readonly Route[] {
  const find = (id = '') => orNotFound(state.profiles.get(id));
  return [
    { name: 'POST /messaging_profiles', answer: ({ body }) => create(state, body as ProfileRequest) },
    {
      name: 'GET /messaging_profiles',
      answer: ({ query }) => {
        checkQuery(query, ['filter[name]', ...PAGE_PARAMETERS]);
        const name = query.get('filter[name]');
        return page(
          [...state.profiles.values()].filter((profile) => name === null || profile.name === name),
          query,
        );
      },
    },
    { name: 'GET /messaging_profiles/{id}', answer: ({ params }) => ok(find(params.id)) },
    {
      name: 'PATCH /messaging_profiles/{id}',
      answer: ({ params, body }) => {
        checkWebhooks(body as ProfileRequest);
        return ok(Object.assign(find(params.id), body, { updated_at: nowText() }));
      },
    },
    { name: 'DELETE /messaging_profiles/{id}', answer: ({ params }) => remove(state, find(params.id)) },
  ];
}

function create(state: State, request: ProfileRequest): Reply {
  checkWebhooks(request);
  const now = nowText();
  const profile: Profile = {
    record_type: 'messaging_profile',
    id: randomUUID(),
    name: '',
    enabled: true,
    whitelisted_destinations: [],
    webhook_url: null,
    webhook_failover_url: null,
    ...request,
    created_at: now,
    updated_at: now,
  };
  state.profiles.set(profile.id, profile);
  return ok(profile);
}

/** Refuses versions of events except 2: the emulator sends no other. */
function checkWebhooks({ webhook_api_version: version = '2' }: ProfileRequest): void {
  if (version === '2') return;
  throw new Refusal('10015', `the emulator sends no events of version ${version}`, { pointer: '/webhook_api_version' });
}

/** Removes a profile. Its numbers then have no profile. */
function remove(state: State, profile: Profile): Reply {
  state.profiles.delete(profile.id);
  for (const owned of state.numbers.values()) {
    if (owned.messaging_profile_id === profile.id) owned.messaging_profile_id = null;
  }
  return ok(profile);
}
