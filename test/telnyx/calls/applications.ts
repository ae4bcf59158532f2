/** Call control applications, and the outbound voice profiles with which they may call. */

import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page } from '../replies.ts';
import type { Route } from '../routes.ts';
import { nextNumericId, nowText, type State } from '../state.ts';
import type { Application, OutboundProfile } from './application.ts';

export function applicationRoutes(state: State): readonly Route[] {
  const find = (id = '') => orNotFound(state.applications.get(id));
  return [
    {
      name: 'GET /call_control_applications',
      answer: ({ query }) => {
        const filter = 'filter[application_name][contains]';
        checkQuery(query, [filter, ...PAGE_PARAMETERS]);
        const wanted = query.get(filter) ?? '';
        return page(
          [...state.applications.values()].filter(({ application_name: name }) => name.includes(wanted)),
          query,
        );
      },
    },
    { name: 'GET /call_control_applications/{id}', answer: ({ params }) => ok(find(params.id)) },
    {
      name: 'POST /call_control_applications',
      answer: ({ body }) => {
        const now = nowText();
        const application: Application = {
          record_type: 'call_control_application',
          id: nextNumericId(state),
          // The old form is Telnyx's own default.
          ...{ webhook_api_version: '1', webhook_timeout_secs: null, outbound: {}, active: true },
          ...(body as Pick<Application, 'application_name' | 'webhook_event_url'>),
          ...{ created_at: now, updated_at: now },
        };
        state.applications.set(application.id, application);
        return ok(application);
      },
    },
    {
      name: 'PATCH /call_control_applications/{id}',
      answer: ({ params, body }) =>
        ok(Object.assign(find(params.id), body as Partial<Application>, { updated_at: nowText() })),
    },
    {
      name: 'GET /outbound_voice_profiles',
      answer: ({ query }) => {
        checkQuery(query, ['filter[name][contains]', ...PAGE_PARAMETERS]);
        const wanted = query.get('filter[name][contains]') ?? '';
        return page(
          [...state.outboundProfiles.values()].filter(({ name }) => name.includes(wanted)),
          query,
        );
      },
    },
    {
      name: 'POST /outbound_voice_profiles',
      answer: ({ body }) => {
        const now = nowText();
        const profile: OutboundProfile = {
          record_type: 'outbound_voice_profile',
          id: nextNumericId(state),
          ...{ whitelisted_destinations: ['US', 'CA'], enabled: true },
          ...(body as Pick<OutboundProfile, 'name'>),
          ...{ created_at: now, updated_at: now },
        };
        state.outboundProfiles.set(profile.id, profile);
        return ok(profile);
      },
    },
  ];
}
