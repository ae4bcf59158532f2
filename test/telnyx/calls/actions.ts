/** The commands to calls. One that repeats the name of another within 60 s is answered alike, and not carried out. */
import { randomUUID } from 'node:crypto';
import { ok, orNotFound, Refusal, type Reply } from '../replies.ts';
import type { Call, Route } from '../routes.ts';
import { nowText } from '../state.ts';
import {
  addLeg,
  answerLeg,
  bridgeLegs,
  type Calls,
  endLeg,
  type Leg,
  leaveConference,
  legFor,
  part,
  reportBegin,
  tell,
} from './legs.ts';
import { beginCaller, ring } from './people.ts';
import { type PlaybackRequest, play, stopPlayback } from './playback.ts';

const CONCURRENT_MAX = 500;
const RING_S = { usual: 30, min: 5, max: 600 } as const;
const KNOWN_MS = 600_000;
const DIGITS = /^[0-9A-D*#wW]+$/;

type Common = { readonly command_id?: string; readonly client_state?: string };

type Act = (leg: Leg, body: never) => void;

/** An operation that commands a leg. */
function action(calls: Calls, name: string, { needs, act }: { needs: 'alive' | 'up'; act: Act }): Route {
  return {
    name: `POST /calls/{id}/actions/${name}`,
    answer: ({ params, body }: Call) => {
      const common = body as Common;
      const answer = calls.desk.once(common, () => {
        const leg = legFor(calls, params['id'], needs);
        if (common.client_state !== undefined) leg.client_state = common.client_state;
        act(leg, body as never);
        return { result: 'ok' };
      });
      return ok(answer);
    },
  };
}

export function callRoutes(calls: Calls): readonly Route[] {
  return [
    {
      name: 'POST /calls',
      answer: ({ body }) => ok(calls.desk.once(body as Common, () => dial(calls, body as DialRequest))),
    },
    { name: 'GET /calls/{id}', answer: ({ params }) => ok(statusOf(calls, params['id'])) },
    action(calls, 'answer', {
      needs: 'alive',
      act: (leg) => {
        if (leg.direction === 'outgoing') throw new Refusal('90034', 'Only a call that arrived can be answered.');
        answerLeg(calls, leg);
        beginCaller(calls, leg);
      },
    }),
    action(calls, 'reject', { needs: 'alive', act: (leg) => endLeg(calls, leg, 'call_rejected', 'unknown') }),
    action(calls, 'hangup', { needs: 'alive', act: (leg) => endLeg(calls, leg, 'normal_clearing', 'unknown') }),
    action(calls, 'bridge', {
      needs: 'up',
      act: (leg, { call_control_id, park_after_unbridge }: BridgeRequest) => {
        const other = legFor(calls, call_control_id, 'up');
        if (park_after_unbridge === 'self') leg.parks = true;
        bridgeLegs(calls, leg, other);
      },
    }),
    action(calls, 'playback_start', { needs: 'up', act: (leg, body: PlaybackRequest) => play(calls, leg, body) }),
    action(calls, 'playback_stop', { needs: 'up', act: (leg, body: object) => stopPlayback(leg, body) }),
    action(calls, 'send_dtmf', {
      needs: 'up',
      act: (leg, { digits }: { digits: string }) => {
        if (!DIGITS.test(digits)) throw new Refusal('10015', 'the digits are invalid', { pointer: '/digits' });
        tell(calls, (hooks) => hooks.onDigitsSent?.(leg, digits));
      },
    }),
    ...conferenceRoutes(calls),
  ];
}

type BridgeRequest = { readonly call_control_id: string; readonly park_after_unbridge?: string };

type DialRequest = Common & {
  readonly connection_id: string;
  readonly to: string;
  readonly from: string;
  readonly timeout_secs?: number;
  readonly link_to?: string;
  readonly bridge_intent?: boolean;
  readonly park_after_unbridge?: string;
  readonly webhook_url?: string;
};

function dial(calls: Calls, asked: DialRequest): unknown {
  const { state } = calls.account;
  const { connection_id, to, from, client_state, timeout_secs = RING_S.usual, link_to, park_after_unbridge } = asked;
  const application = state.applications.get(connection_id);
  if (application === undefined) throw new Refusal('10015', 'no such application', { pointer: '/connection_id' });
  if (!/^\+?\d{3,15}$/.test(to)) throw new Refusal('10016', 'to is not in E.164', { pointer: '/to' });
  if (timeout_secs < RING_S.min || timeout_secs > RING_S.max) throw new Refusal('10015', 'timeout_secs is 5 to 600');
  if (link_to === undefined && (asked.bridge_intent || park_after_unbridge !== undefined)) {
    throw new Refusal('10015', 'link_to is required', { pointer: '/link_to' });
  }
  if ([...calls.legs.values()].filter((leg) => leg.state !== 'ended').length >= CONCURRENT_MAX) {
    throw new Refusal('90041', 'Too many calls at once.');
  }
  const linked = link_to === undefined ? undefined : legFor(calls, link_to, 'alive');
  const url = asked.webhook_url ?? application.webhook_event_url;
  const leg = addLeg(calls, {
    ...{ connection_id, direction: 'outgoing', to, client_state },
    from: asked.bridge_intent && linked !== undefined ? linked.from : from,
    urls: url === '' ? [] : [url],
    session: linked?.call_session_id,
    parks: park_after_unbridge === 'self',
  });
  reportBegin(calls, leg);
  ring(calls, leg, timeout_secs * 1_000);
  // The document says that a call that was just dialled is never alive.
  return { ...shown(leg), is_alive: false };
}

function shown({ call_control_id, call_leg_id, call_session_id }: Leg): object {
  return { record_type: 'call', call_control_id, call_leg_id, call_session_id };
}

/** A call is known for ten minutes after its end. */
function statusOf(calls: Calls, id: string | undefined): unknown {
  const leg = orNotFound(calls.legs.get(id ?? ''));
  const { state, endedAtMs, answeredAtMs, start_time, client_state } = leg;
  if (endedAtMs !== undefined && Date.now() - endedAtMs > KNOWN_MS) orNotFound(undefined);
  return {
    ...shown(leg),
    ...{ is_alive: state !== 'ended', start_time, ...(client_state !== undefined && { client_state }) },
    call_duration: answeredAtMs === undefined ? 0 : Math.ceil(((endedAtMs ?? Date.now()) - answeredAtMs) / 1_000),
    ...(endedAtMs !== undefined && { end_time: new Date(endedAtMs).toISOString() }),
  };
}

type ConferenceRequest = Common & { readonly call_control_id: string; readonly name: string };

/** A conference begins with a leg, which leaves its bridge for it. It ends with its last leg. */
function conferenceRoutes(calls: Calls): readonly Route[] {
  return [
    {
      name: 'POST /conferences',
      answer: ({ body }) => ok(calls.desk.once(body as Common, () => openConference(calls, body as ConferenceRequest))),
    },
    {
      name: 'POST /conferences/{id}/actions/leave',
      answer: ({ params, body }): Reply => {
        const members = orNotFound(calls.conferences.get(params['id'] ?? ''));
        const { call_control_id: id, ...common } = body as ConferenceRequest;
        const answer = calls.desk.once(common, () => {
          const leg = legFor(calls, id, 'up');
          if (!members.has(leg)) throw new Refusal('90018', 'The call is not in the conference.');
          leaveConference(calls, leg);
          return { result: 'ok' };
        });
        return ok(answer);
      },
    },
  ];
}

function openConference(calls: Calls, { call_control_id, name }: ConferenceRequest): unknown {
  const leg = legFor(calls, call_control_id, 'up');
  part(calls, leg);
  leaveConference(calls, leg);
  const id = randomUUID();
  leg.conference = id;
  calls.conferences.set(id, new Set([leg]));
  const now = nowText();
  return { record_type: 'conference', id, name, created_at: now, updated_at: now, expires_at: now };
}
