/** Texts from the account to people. */

import { randomUUID } from 'node:crypto';
import { AREA_CODE_COUNTRY } from '../../src/lib/phone/nanp.ts';
import { time } from '../support/emulator-time.ts';
import { fateOf, refusalTo } from './destinations.ts';
import { giveToHandset } from './handsets.ts';
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { findOwned, nowText, type OutboundMessage, type OwnedNumber, optoutKey, type Profile } from './state.ts';
import { countParts } from './text-parts.ts';
import type { World } from './world.ts';

type SendRequest = {
  readonly from?: string;
  readonly to: string;
  readonly text?: string;
  readonly subject?: string;
  readonly media_urls?: readonly string[];
  readonly type?: 'SMS' | 'MMS';
  readonly messaging_profile_id?: string;
  readonly webhook_url?: string;
  readonly webhook_failover_url?: string;
  readonly use_profile_webhooks?: boolean;
};

const PARTS_MAX = 10;
const MEDIA_MAX = 10;
const QUEUED_AT_MOST_MS = 4 * 3_600_000;

/** Returns the operations on texts and opt-outs. */
export function messageRoutes(world: World): readonly Route[] {
  const { state } = world;
  return [
    { name: 'POST /messages', answer: ({ body }) => send(world, body as SendRequest) },
    { name: 'GET /messages/{id}', answer: ({ params }) => ok(orNotFound(state.messages.get(params.id ?? ''))) },
    {
      name: 'GET /messaging_optouts',
      answer: ({ query }) => {
        const filters = ['messaging_profile_id', 'from'] as const;
        checkQuery(query, [...filters.map((name) => `filter[${name}]`), ...PAGE_PARAMETERS]);
        const found = [...state.optouts.values()].filter((optout) =>
          filters.every((name) => [null, optout[name]].includes(query.get(`filter[${name}]`))),
        );
        return page(found, query);
      },
    },
  ];
}

function send(world: World, request: SendRequest): Reply {
  const { to, text = '', media_urls = [] } = request;
  if (!/^\+[1-9]\d{7,14}$/.test(to)) throw new Refusal('40310', `${to} is not in +E.164 format`, { pointer: '/to' });
  if (text === '' && media_urls.length === 0) throw new Refusal('40316', 'a text or media is needed');
  const { owned, profile } = senderOf(world, request);
  checkDestination(world, request, profile);
  const type = request.type ?? (media_urls.length > 0 ? 'MMS' : 'SMS');
  const { encoding, parts } = countParts(text);
  if (type === 'SMS' && parts > PARTS_MAX) throw new Refusal('40302', `${parts} parts; at most ${PARTS_MAX} are sent`);
  if (media_urls.length > MEDIA_MAX) throw new Refusal('40317', `at most ${MEDIA_MAX} files are sent`);
  const message: OutboundMessage = {
    record_type: 'message',
    direction: 'outbound',
    id: randomUUID(),
    type,
    messaging_profile_id: profile.id,
    organization_id: world.organizationId,
    from: { phone_number: owned.phone_number, carrier: 'Telnyx', line_type: 'VoIP' },
    to: [{ phone_number: to, status: 'queued', carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' }],
    cc: [],
    text,
    subject: request.subject ?? null,
    media: media_urls.map((url) => ({ url, content_type: null, sha256: null })),
    webhook_url: request.webhook_url ?? null,
    webhook_failover_url: request.webhook_failover_url ?? null,
    encoding,
    parts: type === 'MMS' ? 1 : parts,
    tags: [],
    cost: null,
    received_at: nowText(),
    sent_at: null,
    completed_at: null,
    valid_until: new Date(time.now() + QUEUED_AT_MOST_MS).toISOString(),
    errors: [],
  };
  world.state.messages.set(message.id, message);
  follow(world, message, request.use_profile_webhooks ?? true);
  return ok(message);
}

type Sender = { readonly owned: OwnedNumber; readonly profile: Profile };

function senderOf({ state }: World, { from = '', messaging_profile_id: wanted }: SendRequest): Sender {
  const owned = findOwned(state, from);
  const source = { pointer: '/from' };
  if (owned === undefined) throw new Refusal('40305', 'the account has no such number', source);
  const profile = state.profiles.get(owned.messaging_profile_id ?? '');
  if (profile === undefined) throw new Refusal('40100', 'the number has no messaging profile', source);
  if (wanted !== undefined && wanted !== profile.id) {
    throw new Refusal('40305', 'the number is in another messaging profile', source);
  }
  if (owned.phone_number_type === 'toll_free')
    throw new Refusal('40329', 'the toll-free number is not verified', source);
  if (!profile.enabled) throw new Refusal('40312', 'the messaging profile is disabled');
  return { owned, profile };
}

function checkDestination({ state }: World, { from, to }: SendRequest, profile: Profile): void {
  const { id, whitelisted_destinations: allowed } = profile;
  const country = to.startsWith('+1') ? (AREA_CODE_COUNTRY.get(to.slice(2, 5)) ?? 'US') : 'another country';
  if (!allowed.includes('*') && !allowed.includes(country)) {
    throw new Refusal('40309', `the messaging profile sends nothing to ${country}`, { pointer: '/to' });
  }
  if (state.optouts.has(optoutKey(id, to))) {
    throw new Refusal('40300', `Messages cannot be sent from '${from}' to '${to}' due to an existing block rule.`);
  }
  const refused = refusalTo(to);
  if (refused !== undefined) throw new Refusal(refused, `${to} stands for this error`, { pointer: '/to' });
}

/** Carries an accepted text to its end, and reports each step. */
function follow(world: World, message: OutboundMessage, usesProfile: boolean): void {
  const { settings, webhooks } = world;
  const [{ phone_number: to }] = message.to;
  const fate = fateOf(to);
  const report = (type: 'message.sent' | 'message.finalized') =>
    webhooks.send({ type, payload: message, urls: addressesOf(world, message, usesProfile) });
  const { final } = fate;
  const finalize = () => {
    if (final === null) return;
    message.completed_at = nowText();
    message.to = [{ ...message.to[0], status: final }];
    message.errors = fate.errors;
    message.cost = { amount: (0.004 * message.parts).toFixed(4), currency: 'USD' };
    if (fate.isRead) giveToHandset(world, message);
    report('message.finalized');
  };
  // The second step waits for the first: of two timers in a busy process, the longer may end first.
  world.later(settings.stepMs, () => {
    if (fate.isSent) {
      message.sent_at = nowText();
      message.to = [{ ...message.to[0], status: 'sent' }];
      report('message.sent');
    }
    if (final === null && fate.isRead) giveToHandset(world, message);
    world.later(settings.stepMs, finalize);
  });
}

/** Returns the addresses for the events of a text: the text's first, then its profile's. */
function addressesOf({ state }: World, message: OutboundMessage, usesProfile: boolean): readonly string[] {
  const profile = usesProfile ? state.profiles.get(message.messaging_profile_id) : undefined;
  const { webhook_url, webhook_failover_url } = message;
  const all = [webhook_url, webhook_failover_url, profile?.webhook_url, profile?.webhook_failover_url];
  return all.flatMap((url) => url || []);
}
