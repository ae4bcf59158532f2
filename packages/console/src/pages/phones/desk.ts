/**
 * The phones of the page on their calls. The page takes over the people at the phones on each new call, so that they
 * act only when the person at the page acts.
 */
import { type Call, DialplaneError, type Event } from '@dialplane/sdk/resources';
import type { Api } from '../../api/client.ts';
import { type CallView, isOver, viewOf } from './call-view.ts';
import type { Line } from './line.ts';
import { createLines, type Lines } from './lines.ts';

/** A call at one phone. */
export type PhoneCall = CallView & {
  readonly id: string;
  readonly call: Call;
  /** The number at the other end. */
  readonly other: string;
  readonly line: Line | undefined;
};

export type Desk = {
  readonly lines: Lines;
  subscribe(listener: () => void): () => void;
  /** A number that increases with each change. */
  version(): number;
  /** Why the latest read of the calls failed. */
  problem(): unknown;
  /** The calls of a phone that have not ended, and the last ended call. */
  callsOf(number: string): readonly PhoneCall[];
  setNumbers(numbers: readonly string[]): void;
  onEvent(event: Event): void;
  /** Takes a call over for the phones, and follows its events. */
  follow(callId: string): Promise<void>;
  look(callId: string): Promise<void>;
  close(): void;
};

/** If the page has more calls than this, it drops the oldest call that has ended. */
const CALLS_MAX = 12;
const LOOK_MS = 500;
const RUNNING_MAX = 25;

type Followed = {
  call: Call | undefined;
  /** By number: resolves when the page has taken over the person. */
  readonly taken: Map<string, Promise<void>>;
};

/** Opens the desk of a ledger's phones. */
export function openDesk(api: Api): Desk {
  const listeners = new Set<() => void>();
  let problem: unknown = null;
  let version = 0;
  const changed = () => {
    version += 1;
    for (const listener of listeners) listener();
  };
  /** Runs work in the background. If it fails, the page shows the failure until the next success. */
  const attempt = async (work: () => Promise<void>) => {
    const before = problem;
    problem = await work().then(
      () => null,
      (error: unknown) => error,
    );
    if (problem !== before) changed();
  };
  const lines = createLines(api, changed);
  const calls = createFollowedCalls(api, lines, changed);
  const timer = setInterval(() => void attempt(calls.lookAll), LOOK_MS);
  return {
    lines,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    problem: () => problem,
    callsOf: calls.callsOf,
    setNumbers: (numbers) => void attempt(() => calls.setNumbers(numbers)),
    onEvent: (event) => void attempt(() => calls.takeEvent(event)),
    follow: calls.follow,
    look: calls.look,
    close: () => {
      clearInterval(timer);
      calls.close();
      lines.close();
    },
  };
}

function createFollowedCalls(api: Api, lines: Lines, changed: () => void) {
  const calls = new Map<string, Followed>();
  let numbers: readonly string[] = [];
  let isClosed = false;

  const look = async (callId: string) => {
    const followed = calls.get(callId);
    if (followed === undefined) return;
    // A simulated person who acts automatically has no audio, so this waits for the take-over.
    await Promise.all(followed.taken.values());
    const call = await api.calls.get(callId);
    if (isClosed || JSON.stringify(call) === JSON.stringify(followed.call)) return;
    followed.call = call;
    for (const number of numbers) lines.tend(call, number);
    changed();
  };
  const follow = async (callId: string) => {
    const followed = calls.get(callId) ?? { call: undefined, taken: new Map() };
    calls.set(callId, followed);
    const [oldest] = [...calls].flatMap(([id, { call }]) => (call !== undefined && isOver(call) ? [id] : []));
    if (calls.size > CALLS_MAX && oldest !== undefined) calls.delete(oldest);
    for (const number of numbers) {
      if (!followed.taken.has(number)) followed.taken.set(number, takeOver(api, callId, number));
    }
    await look(callId);
  };
  const running = () => [...calls].flatMap(([id, { call }]) => (call === undefined || !isOver(call) ? [id] : []));

  return {
    look,
    follow,
    lookAll: async () => {
      for (const id of running()) await look(id);
    },
    setNumbers: async (next: readonly string[]) => {
      const isFirst = numbers.length === 0;
      numbers = next;
      for (const id of running()) await follow(id);
      if (!isFirst) return;
      const { data } = await api.calls.list({ limit: RUNNING_MAX });
      for (const call of [...data].reverse()) if (!isOver(call)) await follow(call.id);
    },
    takeEvent: async (event: Event) => {
      // A voicemail message is stored some time after its call.
      const id = event.type === 'voicemail.created' ? event.data.call_id : event.resource_id;
      if (mayRing(event, numbers)) await follow(id);
      else if (calls.has(id)) await look(id);
    },
    callsOf: (number: string): readonly PhoneCall[] => {
      const all = [...calls].flatMap(([id, { call }]) => (call === undefined ? [] : phoneCalls(id, call, number)));
      const last = all.findLast(({ state }) => state === 'over');
      return all.filter((one) => one.state !== 'over' || one === last).map((one) => withLine(one, number));
    },
    close: () => {
      isClosed = true;
      calls.clear();
    },
  };

  function withLine(call: Omit<PhoneCall, 'line'>, number: string): PhoneCall {
    return { ...call, line: lines.find(call.id, number) };
  }
}

function phoneCalls(id: string, call: Call, number: string): Omit<PhoneCall, 'line'>[] {
  const view = viewOf(call, number);
  if (view.state === 'none') return [];
  const isCaller = view.party === 'customer' && call.direction === 'inbound';
  return [{ ...view, id, call, other: isCaller ? call.to : call.from }];
}

/** Takes over the simulated person, who then does nothing automatically on the call. */
async function takeOver(api: Api, callId: string, number: string): Promise<void> {
  try {
    await api.test.takeOverCall(callId, { number });
  } catch (error) {
    // The call is already over.
    if (!DialplaneError.is(error) || error.code !== 'call_not_active') throw error;
  }
}

/** True for an event that may make one of the phones ring. */
function mayRing(event: Event, numbers: readonly string[]): boolean {
  if (event.type === 'call.started') return true;
  if (event.type === 'call.transfer.started') return numbers.includes(event.data.to);
  if (event.type !== 'call.placed') return false;
  return [event.data.to, event.data.connect_to].some((number) => number !== null && numbers.includes(number));
}
