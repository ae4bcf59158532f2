/** Judges a queue by what its database recorded while its processes were killed. */

/** From one moment to another, in milliseconds. */
export type Span = { readonly fromMs: number; readonly toMs: number };

/** A change of a caller's place, or of an agent's leg, in the order of the changes. */
export type QueueChange = {
  readonly atMs: number;
  readonly callId: string;
  /** Transactions are numbered in the order of their first writes. */
  readonly transaction: number;
} & (
  | { readonly place: 'coming' | 'waiting' | 'offered' | 'gone'; readonly sinceMs: number }
  | {
      readonly agent: string;
      readonly leg: string;
      readonly state: 'ringing' | 'up' | 'talked' | 'declined' | 'missed';
    }
);

/** A call of a caller, after its end. */
export type QueuedCall = {
  readonly id: string;
  readonly status: string;
  /** Events of the types `call.completed` and `call.queued`. */
  readonly completed: number;
  readonly queued: number;
  /** The reason of each `call.dequeued`. */
  readonly reasons: readonly string[];
  /** True if the caller hung up while it waited, or tried to. */
  readonly gaveUp: boolean;
};

export type QueueFacts = {
  readonly calls: readonly QueuedCall[];
  readonly changes: readonly QueueChange[];
  /** The times when each agent could be rung if it had no call. */
  readonly present: ReadonlyMap<string, readonly Span[]>;
  /** Times after kills. In them callers may wait while an agent is free. */
  readonly excused: readonly Span[];
};

/** Returns the changes of one call, one a line, with their milliseconds since the first change of the run. */
export function listChangesOf(callId: string, { changes }: Pick<QueueFacts, 'changes'>): string[] {
  const startMs = changes[0]?.atMs ?? 0;
  return changes.flatMap((change) => {
    if (change.callId !== callId) return [];
    const text = 'leg' in change ? `${change.agent} ${change.leg} ${change.state}` : change.place;
    return [`${Math.round(change.atMs - startMs)} ms, transaction ${change.transaction}: ${text}`];
  });
}

/** A caller who waits longer than this while an agent is free counts as forgotten, on any machine. */
const FORGOTTEN_MS = 30_000;
/** An agent that has declined is not rung for this time. */
const REST_MS = 10_000;
/**
 * A caller whose agent did not answer keeps its place. A decision that was running at this moment did not see that. It
 * commits within this time, or began before the caller's transaction.
 */
const RETURNED_MS = 1_000;

/** Returns what is wrong, as sentences. */
export function findQueueProblems(facts: QueueFacts): string[] {
  return [
    ...facts.calls.flatMap(findEndProblems),
    ...findLegProblems(facts.changes),
    ...findOrderProblems(facts.changes),
    ...findForgotten(facts),
  ];
}

function findEndProblems({ id, status, completed, queued, reasons, gaveUp }: QueuedCall): string[] {
  const told = reasons.join();
  // The caller hung up before the queue had counted it in.
  if (gaveUp && queued === 0 && told === '' && completed === 1) return [];
  const isFine = told === 'answered' || (gaveUp && told === 'abandoned');
  const isOver = told === 'answered' ? status === 'completed' : status === 'missed' || status === 'completed';
  if (isFine && isOver && completed === 1 && queued === 1) return [];
  return [`${id} is ${status}, with ${completed} ends, queued ${queued} times, dequeued as "${told}"`];
}

type OpenLeg = { readonly callId: string; readonly agent: string; isHungUp: boolean };

/** Finds callers with two agents, and agents with two callers. An agent whose leg is being hung up does not count. */
function findLegProblems(changes: readonly QueueChange[]): string[] {
  const problems: string[] = [];
  const open = new Map<string, OpenLeg>();
  const answered = new Set<string>();
  for (const change of changes) {
    const { callId } = change;
    const others = [...open.values()];
    if ('place' in change) {
      for (const other of others) other.isHungUp ||= change.place === 'waiting' && other.callId === callId;
      continue;
    }
    const { agent, leg, state } = change;
    if (state === 'up') answered.add(callId);
    if (state === 'up' && open.get(leg)?.isHungUp === true) problems.push(`${callId} has ${agent}, who was hung up`);
    if (state !== 'ringing' && state !== 'up') open.delete(leg);
    else if (!open.has(leg)) {
      const isSecond = others.some((other) => other.callId === callId && !other.isHungUp);
      if (isSecond) problems.push(`${callId} has a second agent, ${agent}`);
      if (others.some((other) => other.agent === agent)) problems.push(`${agent} has a second caller, ${callId}`);
      if (state === 'ringing' && answered.has(callId)) problems.push(`${callId} rings ${agent} after it was answered`);
      open.set(leg, { callId, agent, isHungUp: false });
    }
  }
  return problems;
}

/** Finds callers who were offered to an agent before one who had come earlier. */
function findOrderProblems(changes: readonly QueueChange[]): string[] {
  const problems: string[] = [];
  const waiting = new Map<string, { readonly change: QueueChange & { sinceMs: number }; readonly returned: boolean }>();
  const offered = new Set<string>();
  for (const change of changes) {
    if (!('place' in change)) continue;
    const { callId, place, sinceMs, atMs, transaction } = change;
    waiting.delete(callId);
    if (place === 'waiting') waiting.set(callId, { change, returned: offered.has(callId) });
    if (place !== 'offered') continue;
    offered.add(callId);
    for (const [other, { change: earlier, returned }] of waiting) {
      const isUnknown = atMs - earlier.atMs < RETURNED_MS || earlier.transaction > transaction;
      if (earlier.sinceMs >= sinceMs || (returned && isUnknown)) continue;
      problems.push(`${callId} was offered before ${other}, who came ${sinceMs - earlier.sinceMs} ms earlier`);
    }
  }
  return problems;
}

/** A caller who waited while an agent was free. */
type Beside = Span & { readonly callId: string; readonly agent: string };

function findForgotten(facts: QueueFacts): string[] {
  const startMs = facts.changes[0]?.atMs ?? 0;
  return listBeside(facts).flatMap(({ callId, agent, ...span }) => {
    if (lengthOf(span) <= FORGOTTEN_MS) return [];
    const times = `${Math.round(lengthOf(span))} ms, from ${Math.round(span.fromMs - startMs)} ms on`;
    return [`${callId} waited beside ${agent}, who was free: ${times}`];
  });
}

/** Returns the longest time that a caller waited while an agent was free, in milliseconds, without excused times. */
export function longestBesideMs(facts: QueueFacts): number {
  return Math.max(0, ...listBeside(facts).map(lengthOf));
}

/** For each time with a free agent, returns the caller who waited longest during it, if any. */
function listBeside({ changes, present, excused }: QueueFacts): Beside[] {
  const waits = listWaits(changes);
  return [...listFree(changes, present)].flatMap(([agent, free]) =>
    free.flatMap((span) =>
      waits
        .flatMap(({ callId, ...wait }) => {
          const both = overlap(span, wait);
          return both === undefined ? [] : without(both, excused).map((beside) => ({ callId, agent, ...beside }));
        })
        .sort((one, other) => lengthOf(other) - lengthOf(one))
        .slice(0, 1),
    ),
  );
}

/** Returns when each caller waited, counted in and without a ringing agent. */
function listWaits(changes: readonly QueueChange[]): (Span & { readonly callId: string })[] {
  const since = new Map<string, number>();
  return changes.flatMap((change) => {
    if (!('place' in change)) return [];
    const { callId, place, atMs } = change;
    const fromMs = since.get(callId);
    if (place === 'waiting' && fromMs === undefined) since.set(callId, atMs);
    if (place === 'waiting' || fromMs === undefined) return [];
    since.delete(callId);
    return [{ callId, fromMs, toMs: atMs }];
  });
}

/** Returns when each agent was present and had no call. */
function listFree(changes: readonly QueueChange[], present: QueueFacts['present']): Map<string, Span[]> {
  const taken = Map.groupBy(listTaken(changes), ({ agent }) => agent);
  return new Map(
    [...present].map(([agent, spans]) => [agent, spans.flatMap((span) => without(span, taken.get(agent) ?? []))]),
  );
}

/** Returns when agents had a call, or rested. */
function listTaken(changes: readonly QueueChange[]): (Span & { readonly agent: string })[] {
  const since = new Map<string, number>();
  return changes.flatMap((change) => {
    if (!('leg' in change)) return [];
    const { agent, leg, state, atMs } = change;
    const fromMs = since.get(leg) ?? atMs;
    since.set(leg, fromMs);
    if (state === 'ringing' || state === 'up') return [];
    return [{ agent, fromMs, toMs: state === 'declined' ? atMs + REST_MS : atMs }];
  });
}

const lengthOf = ({ fromMs, toMs }: Span) => toMs - fromMs;

function overlap(one: Span, other: Span): Span | undefined {
  const span = { fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) };
  return lengthOf(span) > 0 ? span : undefined;
}

/** Returns the parts of a span that no other span covers. The last part may have no length. */
function without(span: Span, others: readonly Span[]): Span[] {
  const left: Span[] = [];
  let { fromMs } = span;
  for (const other of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (overlap({ ...span, fromMs }, other) === undefined) continue;
    left.push({ fromMs, toMs: Math.max(fromMs, other.fromMs) });
    fromMs = other.toMs;
  }
  return [...left, { fromMs, toMs: Math.max(fromMs, span.toMs) }];
}
