/** Watches the events of the phone: texts, calls that ring it, and calls that it has made. */
import { coalesce } from '../../../lib/concurrency/coalesce.ts';
import { sleep } from '../../../lib/time/time.ts';
import { CommandError } from '../../command.ts';
import type { FeedEvent } from '../event-feed.ts';
import { API, callApi, readApi, type ServerAccess } from '../server-access.ts';
import { type Call, isOver, type View, viewOf } from './call-view.ts';
import type { OwnNumbers } from './own-numbers.ts';
import type { PhoneEvent, Text } from './phone-events.ts';
import { readRealtime } from './realtime.ts';

export type FollowedCall = { readonly id: string; readonly view: View };

export type Watch = {
  /** The calls that the phone is on, or that may ring it, the oldest first. */
  list(): readonly FollowedCall[];
  /** Looks for events now. */
  look(): Promise<void>;
  /** Takes control of a call, so that the simulated person with this number does nothing on it. */
  follow(callId: string): Promise<void>;
  texts(): Promise<readonly Text[]>;
  /**
   * Watches until the signal ends it. `onReady` is called when no later event can be missed. Throws CommandError if the
   * key or the server is wrong.
   */
  run(onReady: () => void): Promise<void>;
};

type WatchOptions = {
  readonly server: ServerAccess;
  readonly number: string;
  readonly tenantId: string | undefined;
  readonly ownNumbers: OwnNumbers;
  readonly signal: AbortSignal;
  onPhoneEvent(event: PhoneEvent): void;
  onProblem(problem: string): void;
};

type OutboxText = Text & { readonly message_id: string };

/** A text whose receipt is lost has no event. This check finds it. */
const IDLE_LOOK_MS = 2_000;
const CALL_LOOK_MS = 400;
/** How many calls are watched: the newest ones that may ring the phone. An account has other calls as well. */
const CALLS_MAX = 10;

/** Creates the watch of one phone. */
export function createWatch(options: WatchOptions): Watch {
  const { server, number, ownNumbers, signal, onPhoneEvent, onProblem } = options;
  const calls = new Map<string, View>();
  const seen = new Set<string>();
  const texts = async () => {
    const path = `/test/outbox?to=${encodeURIComponent(number)}`;
    const { data } = await readApi<{ data: OutboxText[] }>(server, path, signal);
    const isOwn = await Promise.all(data.map(({ from }) => ownNumbers.has(from)));
    return data.filter((_, index) => isOwn[index]).reverse();
  };

  const lookAtTexts = async (isNew: boolean) => {
    for (const { message_id, from, to, body, media_urls } of await texts()) {
      if (seen.has(message_id)) continue;
      seen.add(message_id);
      if (isNew) onPhoneEvent({ type: 'text', from, to, body, media_urls });
    }
  };

  const lookAtCall = async (id: string, before: View) => {
    const call = await readApi<Call>(server, `/calls/${id}`, signal);
    const view = viewOf(call, number);
    if (view.state === 'over' || isOver(call)) calls.delete(id);
    else if (calls.has(id)) calls.set(id, view);
    for (const event of changes(call, before, view)) onPhoneEvent(event);
  };

  let problem: string | undefined;
  const look = coalesce(async () => {
    try {
      await lookAtTexts(true);
      for (const [id, view] of calls) await lookAtCall(id, view);
      problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (!signal.aborted && message !== problem) onProblem(message);
      problem = message;
    }
  });

  const follow = async (id: string) => {
    if (calls.has(id)) return;
    calls.set(id, { state: 'none', party: 'agent', gathers: 0, isRecorded: false });
    const [oldest] = [...calls].flatMap(([callId, { state }]) => (state === 'none' ? [callId] : []));
    if (calls.size > CALLS_MAX && oldest !== undefined) calls.delete(oldest);
    try {
      await callApi(server, { method: 'POST', path: `${API}/test/calls/${id}/take_over`, body: { number } });
    } catch (error) {
      // The call may have ended. In that case there is nothing to follow.
      if (!(error instanceof CommandError)) throw error;
      calls.delete(id);
    }
  };

  const onEvent = async (event: FeedEvent) => {
    const id = callToFollow(event, number);
    if (id !== undefined) await follow(id);
    const heard = heardBy(event, calls);
    if (heard !== undefined) onPhoneEvent(heard);
    await look();
  };

  const run = async (onReady: () => void) => {
    await lookAtTexts(false);
    const onOpen = async () => {
      for (const id of await runningCalls(options)) await follow(id);
      await look();
      onReady();
    };
    const polling = keepLooking(look, calls, signal);
    await readRealtime({ ...options, onOpen, onEvent });
    await polling;
  };
  return { list: () => [...calls].map(([id, view]) => ({ id, view })), look, follow, texts, run };
}

async function keepLooking(look: () => Promise<void>, calls: Map<string, View>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(calls.size > 0 ? CALL_LOOK_MS : IDLE_LOOK_MS, { signal }).catch(() => undefined);
    if (!signal.aborted) await look();
  }
}

/** Returns the id of the call that an event is about, if the call rings the phone or may ring it later. */
function callToFollow({ type, resource_id, data }: FeedEvent, number: string): string | undefined {
  if (type === 'call.started') return resource_id;
  if (type === 'call.placed') return [data['to'], data['connect_to']].includes(number) ? resource_id : undefined;
  return type === 'call.transfer.started' && data['to'] === number ? resource_id : undefined;
}

/** Returns the other side's words on a transcribed call. */
function heardBy({ type, resource_id, data }: FeedEvent, calls: ReadonlyMap<string, View>): PhoneEvent | undefined {
  const view = calls.get(resource_id);
  if (type !== 'call.transcript' || view?.state !== 'talking' || data['speaker'] === view.party) return undefined;
  return { type: 'heard', call_id: resource_id, text: String(data['text']) };
}

async function runningCalls({ server, tenantId, number, signal }: WatchOptions): Promise<string[]> {
  const query = new URLSearchParams({ limit: '25', ...(tenantId !== undefined && { tenant_id: tenantId }) });
  const { data } = await readApi<{ data: Call[] }>(server, `/calls?${query}`, signal);
  const isFollowed = (call: Call) =>
    !isOver(call) && (call.direction === 'inbound' || [call.to, call.connect_to].includes(number));
  return data
    .filter(isFollowed)
    .map(({ id }) => id)
    .reverse();
}

/** Returns what changes for the person between two views of a call. */
function changes(call: Call, before: View, after: View): PhoneEvent[] {
  const { id: call_id, direction, from, to, outcome, caller_name } = call;
  const isCaller = direction === 'inbound' && after.party === 'customer';
  const has = (is: boolean, event: PhoneEvent) => (is ? [event] : []);
  const isNew = before.state !== after.state;
  return [
    ...has(before.state === 'none' && isCaller, { type: 'calling', call_id, to }),
    ...has(isNew && after.state === 'ringing', { type: 'ring', call_id, from, caller_name }),
    ...has(isNew && after.state === 'talking', { type: 'talk', call_id }),
    ...has(after.gathers > before.gathers, { type: 'keys', call_id }),
    ...has(after.isRecorded && !before.isRecorded, { type: 'voicemail', call_id }),
    ...has(isNew && after.state === 'over' && before.state !== 'none', { type: 'end', call_id, outcome }),
  ];
}
