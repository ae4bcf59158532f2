/** The actions of a person at the phone, as requests to the controls of test mode. */

import { sleep } from '../../../lib/time/time.ts';
import { CommandError } from '../../command.ts';
import { API, callApi, type ServerAccess } from '../server-access.ts';
import { HELP, type Input } from './input.ts';
import { contentOf, type Diary } from './phone-events.ts';
import type { FollowedCall, Watch } from './watch.ts';

export type Handset = {
  /** Sets the number that the phone texts and calls. */
  setContact(number: string): void;
  /** Carries out a line of input. Throws CommandError if it cannot be done. */
  act(input: Input): Promise<void>;
  /** Ends the calls that are active on the phone. */
  leave(): Promise<void>;
};

type HandsetOptions = {
  readonly server: ServerAccess;
  readonly number: string;
  readonly watch: Watch;
  readonly diary: Diary;
  readonly signal: AbortSignal;
  note(text: string): void;
};

/** The options, and what the person has chosen so far. */
type Phone = HandsetOptions & {
  contact: string | undefined;
  /** Calls that the person does not want to answer. */
  readonly ignored: Set<string>;
};

const TEXTS_SHOWN = 10;

/** Creates the phone of the person with this number. */
export function createHandset(options: HandsetOptions): Handset {
  const phone: Phone = { ...options, contact: undefined, ignored: new Set() };
  return {
    act: (input) => act(phone, input),
    setContact: (number) => {
      phone.contact = number;
    },
    leave: async () => {
      const isOn = ({ view }: FollowedCall) => view.state === 'calling' || view.state === 'talking';
      for (const call of phone.watch.list().filter(isOn)) await hangUp(phone, call);
    },
  };
}

async function act(phone: Phone, input: Input): Promise<void> {
  switch (input.do) {
    case 'text':
      return sendText(phone, input);
    case 'to':
      phone.contact = input.number;
      return;
    case 'call':
      return placeCall(phone, contactOf(phone, input.number));
    case 'accept':
      return control(phone, ringing(phone), 'answer', { target: phone.number });
    case 'decline':
      return hangUp(phone, ringing(phone));
    case 'ignore':
      phone.ignored.add(ringing(phone).id);
      return;
    case 'hangup':
      return hangUp(phone, current(phone));
    case 'keys': {
      const call = current(phone);
      return control(phone, call, 'dtmf', { digits: input.digits, party: call.view.party });
    }
    case 'say': {
      const call = current(phone);
      return control(phone, call, 'speech', { text: input.text, speaker: call.view.party });
    }
    case 'texts':
      for (const text of (await phone.watch.texts()).slice(-TEXTS_SHOWN)) {
        phone.note(`${text.from}  ${contentOf(text)}`);
      }
      return;
    case 'wait':
      return wait(phone, input.for);
    case 'help':
      phone.note(HELP);
      return;
    case 'nothing':
    case 'quit':
  }
}

async function post<T>({ server }: Phone, path: string, body: object): Promise<T> {
  return (await callApi<T>(server, { method: 'POST', path: `${API}/test/${path}`, body })).body;
}

/** Carries out the person's action on a call, and shows the result. */
async function control(phone: Phone, { id }: FollowedCall, name: string, body: object): Promise<void> {
  await post(phone, `calls/${id}/${name}`, body);
  await phone.watch.look();
}

function hangUp(phone: Phone, call: FollowedCall): Promise<void> {
  const isAgent = call.view.party === 'agent';
  return control(phone, call, 'hangup', isAgent ? { party: 'agent', target: phone.number } : { party: 'customer' });
}

function contactOf({ contact }: Phone, given?: string): string {
  const number = given ?? contact;
  if (number === undefined) throw new CommandError('Which number? Choose it with /to +1…');
  return number;
}

/** Returns the newest call in one of these states, without the calls that the person ignores. */
function find({ watch, ignored }: Phone, states: readonly string[], problem: string): FollowedCall {
  const call = watch.list().findLast(({ id, view }) => states.includes(view.state) && !ignored.has(id));
  if (call === undefined) throw new CommandError(problem);
  return call;
}

const ringing = (phone: Phone) => find(phone, ['ringing'], 'No call rings.');
const current = (phone: Phone) => find(phone, ['calling', 'talking'], 'There is no call.');

async function sendText(phone: Phone, { body, mediaUrls }: Extract<Input, { do: 'text' }>): Promise<void> {
  const { number: from, diary } = phone;
  const to = contactOf(phone);
  const media = mediaUrls.length > 0 && { media_urls: mediaUrls };
  await post(phone, 'inbound_messages', { from, to, ...(body !== '' && { body }), ...media });
  diary.add({ type: 'sent', from, to, body, media_urls: mediaUrls });
}

async function placeCall(phone: Phone, to: string): Promise<void> {
  const { id } = await post<{ id: string }>(phone, 'inbound_calls', { from: phone.number, to });
  phone.contact = to;
  await phone.watch.follow(id);
  await phone.watch.look();
}

async function wait({ diary, signal }: Phone, what: Extract<Input, { do: 'wait' }>['for']): Promise<void> {
  if (typeof what === 'number') await sleep(what * 1_000, { signal });
  else await diary.wait(what, signal);
}
