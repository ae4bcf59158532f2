/** Texts of people, and what their handsets have. */

import { createHash, randomUUID } from 'node:crypto';
import { time } from '../support/emulator-time.ts';
import {
  findOwned,
  type HandsetText,
  nowText,
  type Optout,
  type OutboundMessage,
  optoutKey,
  type Profile,
} from './state.ts';
import { countParts } from './text-parts.ts';
import type { World } from './world.ts';

/** A text that a person sends. */
export type PersonText = {
  /** The sender's number, in the form of the report. */
  readonly from: string;
  /** A number of the account, E.164. */
  readonly to: string;
  /** How the report writes the number that was texted; `to` by default. */
  readonly toWritten?: string;
  /** The other members of a group text, as the report writes them. */
  readonly others?: readonly string[];
  /** Where the report names the others: in `cc`, or in `to` before the account's number. */
  readonly othersIn?: 'cc' | 'to';
  readonly text: string;
  readonly media?: readonly { readonly contentType: string; readonly base64: string }[];
};

type Autoresponse = 'STOP' | 'START' | 'HELP';

const KEYWORDS: Readonly<Record<Autoresponse, readonly string[]>> = {
  STOP: ['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  START: ['START', 'UNSTOP'],
  HELP: ['HELP', 'INFO'],
};

const ANSWERS: Readonly<Record<Autoresponse, string>> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number.',
  START: 'You have successfully been re-subscribed to messages from this number.',
  HELP: 'Reply STOP to unsubscribe.',
};

/** Sends a person's text to a number. Returns the message's id. Throws if the account lacks the number. */
export function textIn(world: World, personText: PersonText): string {
  const { from, to, toWritten = to, others = [], othersIn = 'cc', text, media = [] } = personText;
  const { state, settings, webhooks } = world;
  const recipients = (numbers: readonly string[]) =>
    numbers.map((phone_number) => ({ phone_number, status: 'delivered', carrier: '', line_type: '' }));
  const isGroup = others.length > 0;
  const owned = findOwned(state, to);
  if (owned === undefined) throw new Error(`the account has no number ${to}`);
  const profile = state.profiles.get(owned.messaging_profile_id ?? '');
  const autoresponse = autoresponseTo(text);
  if (profile !== undefined && autoresponse !== undefined) {
    respond(world, { profile, autoresponse, person: from, number: to, keyword: text });
  }
  const id = randomUUID();
  const payload = {
    record_type: 'message',
    direction: 'inbound',
    id,
    type: media.length > 0 || isGroup ? 'MMS' : 'SMS',
    messaging_profile_id: profile?.id ?? '',
    organization_id: world.organizationId,
    from: { phone_number: from, carrier: 'T-Mobile USA', line_type: 'Wireless' },
    to: [
      ...(othersIn === 'to' ? recipients(others) : []),
      { phone_number: toWritten, status: 'webhook_delivered', carrier: 'Telnyx', line_type: 'VoIP' },
    ],
    cc: othersIn === 'cc' ? recipients(others) : [],
    text,
    media: media.map(({ contentType, base64 }) => keepMedia(world, contentType, Buffer.from(base64, 'base64'))),
    ...countParts(text),
    ...(autoresponse && { autoresponse_type: autoresponse }),
    tags: [],
    errors: [],
    cost: null,
    received_at: nowText(),
    sent_at: null,
    completed_at: null,
    valid_until: null,
    webhook_url: profile?.webhook_url ?? null,
    webhook_failover_url: profile?.webhook_failover_url ?? null,
  };
  const urls = [profile?.webhook_url, profile?.webhook_failover_url].flatMap((url) => url || []);
  world.later(settings.stepMs, () => webhooks.send({ type: 'message.received', payload, urls }));
  return id;
}

/** Returns the automatic response that a text asks for: the text must be only a keyword. */
function autoresponseTo(text: string): Autoresponse | undefined {
  const word = text.trim().replace(/\s+/g, ' ').toUpperCase();
  return (['STOP', 'START', 'HELP'] as const).find((service) => KEYWORDS[service].includes(word));
}

type Response = {
  readonly profile: Profile;
  readonly autoresponse: Autoresponse;
  readonly person: string;
  readonly number: string;
  readonly keyword: string;
};

/**
 * Blocks or unblocks the person for the whole profile, and sends the automatic response that Telnyx sends without the
 * account.
 */
function respond({ state }: World, { profile, autoresponse, person, number, keyword }: Response): void {
  const key = optoutKey(profile.id, person);
  const isBlocked = state.optouts.has(key);
  if (autoresponse === 'START') state.optouts.delete(key);
  if (autoresponse === 'STOP') {
    const optout: Optout = {
      messaging_profile_id: profile.id,
      from: number,
      to: person,
      keyword: keyword.trim().toUpperCase(),
      created_at: nowText(),
    };
    state.optouts.set(key, optout);
  }
  // A second STOP gets no second confirmation.
  if (autoresponse === 'STOP' && isBlocked) return;
  const answer: HandsetText = {
    from: number,
    text: ANSWERS[autoresponse],
    media_urls: [],
    message_id: null,
    at: nowText(),
  };
  state.handsets.set(person, [...(state.handsets.get(person) ?? []), answer]);
}

/** Keeps a file of a person for a while, and describes it as events do. */
function keepMedia({ state, settings, origin }: World, contentType: string, content: Uint8Array) {
  const id = randomUUID();
  state.media.set(id, { contentType, content, expiresAtMs: time.now() + settings.mediaLifeMs });
  const hash_sha256 = createHash('sha256').update(content).digest('hex');
  return { url: `${origin()}/_media/${id}`, content_type: contentType, size: content.length, hash_sha256 };
}

/** Puts a text on the person's handset. A number of the account gets it as a text of a person. */
export function giveToHandset(world: World, message: OutboundMessage): void {
  const { state } = world;
  const [{ phone_number: to }] = message.to;
  const from = message.from.phone_number;
  const media_urls = message.media.map(({ url }) => url);
  const received = { from, text: message.text, media_urls, message_id: message.id, at: nowText() };
  const texts = state.handsets.get(to);
  if (texts === undefined) state.handsets.set(to, [received]);
  else texts.push(received);
  if (findOwned(state, to) !== undefined) textIn(world, { from, to, text: message.text });
}
