/** Call control applications and outbound voice profiles. */
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal } from '../replies.ts';
import type { Route } from '../routes.ts';
import { nextNumericId, nowText, type State } from '../state.ts';
import type { Application, OutboundProfile } from './calls-state.ts';

/** A name filter has at least this many characters. */
const FILTER_MIN = 3;

/** Returns the operations on applications and outbound profiles. */
export function applicationRoutes(state: State): readonly Route[] {
  return [...callControlRoutes(state), ...outboundRoutes(state)];
}

function callControlRoutes(state: State): readonly Route[] {
  const { applications } = state.calls;
  const find = (id = '') => orNotFound(applications.get(id));
  return [
    {
      name: 'GET /call_control_applications',
      answer: ({ query }) => {
        const name = namePart(query, 'filter[application_name][contains]');
        // The newest is the first.
        const found = [...applications.values()].reverse().filter((each) => hasPart(each.application_name, name));
        return page(found, query);
      },
    },
    {
      name: 'POST /call_control_applications',
      answer: ({ body }) => {
        checkProfile(state, body as Partial<Application>);
        const now = nowText();
        const application: Application = {
          record_type: 'call_control_application',
          id: nextNumericId(state),
          application_name: '',
          active: true,
          webhook_event_url: '',
          webhook_event_failover_url: null,
          webhook_api_version: '1',
          outbound: {},
          first_command_timeout: false,
          first_command_timeout_secs: 30,
          ...(body as object),
          created_at: now,
          updated_at: now,
        };
        applications.set(application.id, application);
        return ok(application);
      },
    },
    { name: 'GET /call_control_applications/{id}', answer: ({ params }) => ok(find(params['id'])) },
    {
      name: 'PATCH /call_control_applications/{id}',
      answer: ({ params, body }) => {
        checkProfile(state, body as Partial<Application>);
        return ok(Object.assign(find(params['id']), body, { updated_at: nowText() }));
      },
    },
  ];
}

function outboundRoutes(state: State): readonly Route[] {
  const { outboundProfiles } = state.calls;
  const find = (id = '') => orNotFound(outboundProfiles.get(id));
  return [
    {
      name: 'GET /outbound_voice_profiles',
      answer: ({ query }) => {
        const name = namePart(query, 'filter[name][contains]');
        const found = [...outboundProfiles.values()].filter((each) => hasPart(each.name, name));
        return page(found, query);
      },
    },
    {
      name: 'POST /outbound_voice_profiles',
      answer: ({ body }) => {
        const now = nowText();
        const profile: OutboundProfile = {
          record_type: 'outbound_voice_profile',
          id: nextNumericId(state),
          name: '',
          enabled: true,
          whitelisted_destinations: ['US', 'CA'],
          concurrent_call_limit: null,
          ...(body as object),
          created_at: now,
          updated_at: now,
        };
        outboundProfiles.set(profile.id, profile);
        return ok(profile);
      },
    },
    { name: 'GET /outbound_voice_profiles/{id}', answer: ({ params }) => ok(find(params['id'])) },
    {
      name: 'PATCH /outbound_voice_profiles/{id}',
      answer: ({ params, body }) => ok(Object.assign(find(params['id']), body, { updated_at: nowText() })),
    },
  ];
}

/**
 * Returns the addresses of a call's webhooks: its own address, or the addresses of its application. Empty for an
 * application with the events of version 1, which the emulator does not send.
 */
export function urlsOf(application: Application, url?: string): readonly string[] {
  const { webhook_api_version, webhook_event_url, webhook_event_failover_url } = application;
  if (webhook_api_version !== '2') return [];
  return url === undefined ? [webhook_event_url, webhook_event_failover_url].flatMap((each) => each || []) : [url];
}

/** Refuses an outbound profile that the account lacks. */
function checkProfile({ calls }: State, { outbound }: Partial<Application>): void {
  const id = outbound?.outbound_voice_profile_id;
  if (id === undefined || calls.outboundProfiles.has(id)) return;
  const pointer = '/outbound/outbound_voice_profile_id';
  throw new Refusal('10015', 'the account has no such outbound voice profile', { pointer });
}

/** Returns the part of a name that a list asks for, in small letters; empty if it asks for none. */
function namePart(query: URLSearchParams, parameter: string): string {
  checkQuery(query, [parameter, ...PAGE_PARAMETERS]);
  const part = query.get(parameter) ?? '';
  if (part === '' || part.length >= FILTER_MIN) return part.toLowerCase();
  throw new Refusal('10015', `${parameter} has at least ${FILTER_MIN} characters`, { parameter });
}

function hasPart(name: string, part: string): boolean {
  return name.toLowerCase().includes(part);
}
