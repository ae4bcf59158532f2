/** Judges what a chaos run has left. Every finding is a sentence; a good run has none. */
import type { ChaosFacts, StoredCall, StoredText } from './chaos-facts.ts';
import type { ChaosText } from './chaos-texts.ts';
import type { FarLeg } from './far-side.ts';

export type Limits = {
  /**
   * Longest time in milliseconds from the end of a call at the carrier to its end here. Times of outages do not count.
   */
  readonly healedMs: number;
  /** When no product ran, in milliseconds of the epoch. */
  readonly outages: readonly Outage[];
};

export type Outage = { readonly fromMs: number; readonly toMs: number };

/** Returns everything that is wrong. */
export function findProblems(facts: ChaosFacts, limits: Limits): string[] {
  return [
    ...facts.carrier.repeated.flatMap((name) => (isOnce(name) ? [`done twice at the carrier: ${name}`] : [])),
    ...textProblems(facts),
    ...callProblems(facts, limits),
    ...Object.entries(facts.work).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind} are left`])),
    ...(same(facts.usage.hours, facts.usage.uses) ? [] : ['the hourly sums of usage differ from the uses']),
    ...(same(facts.usage.days, facts.usage.uses) ? [] : ['the daily sums of usage differ from the uses']),
  ];
}

/**
 * True for an operation that the carrier must not do twice. Questions, and commands with a name that it knows, may be
 * repeated.
 */
function isOnce(name: string): boolean {
  return name.startsWith('messaging.send ') || name.startsWith('voice.dial ');
}

function textProblems({ asked, texts, carrier }: ChaosFacts): string[] {
  const byBody = Map.groupBy(texts, ({ body }) => body);
  const taken = new Map(Map.groupBy(carrier.texts, ({ ref }) => ref));
  const bodies = new Set(asked.texts.map(({ body }) => body));
  return [
    ...asked.texts.flatMap((text) => {
      const stored = byBody.get(text.body) ?? [];
      const [one] = stored;
      if (one === undefined || stored.length > 1) return [`"${text.body}" is stored ${stored.length} times`];
      return textOf(text, one, taken.get(one.id)?.length ?? 0).map((what) => `${one.id} "${text.body}": ${what}`);
    }),
    ...texts.flatMap(({ id, body }) => (bodies.has(body) ? [] : [`${id} was never asked for`])),
    ...carrier.texts.flatMap(({ ref }) => (texts.some(({ id }) => id === ref) ? [] : [`the carrier has ${ref}`])),
  ];
}

function textOf(asked: ChaosText, stored: StoredText, taken: number): string[] {
  const { direction, status, events, usage } = stored;
  const isInbound = direction === 'inbound';
  const ends = events.filter(({ type }) => ['message.delivered', 'message.failed', 'message.received'].includes(type));
  // If the carrier refused a text too often, the text fails without a delivery, and costs nothing.
  const isFailed = status === 'failed' && taken === 0;
  const used = isFailed ? [] : [{ kind: `sms_segment_${direction}`, quantity: asked.segments, times: 1 }];
  return [
    ...when(asked.id !== undefined && asked.id !== stored.id, 'the reply named another id'),
    ...when(direction !== asked.direction, `it is ${direction}`),
    ...when(status !== (isInbound ? 'received' : isFailed ? 'failed' : 'delivered'), `it is ${status}`),
    ...when(taken !== (isInbound || isFailed ? 0 : 1), `the carrier has it ${taken} times`),
    ...when(ends.length !== 1, `it has the ends ${ends.map(({ type }) => type).join(', ')}`),
    ...when(hasGap(events), 'its events have a gap'),
    ...when(!same(usage, used), `its usage is ${JSON.stringify(usage)}`),
  ];
}

function callProblems({ asked, calls, carrier }: ChaosFacts, limits: Limits): string[] {
  const byId = Map.groupBy(calls, ({ id }) => id);
  const legs = Map.groupBy(carrier.legs, ({ callRef }) => callRef);
  const placed = new Set(asked.calls.map(({ id }) => id));
  return [
    ...asked.calls.flatMap(({ id = '', kind }) => {
      const stored = byId.get(id) ?? [];
      const [one] = stored;
      if (one === undefined || stored.length > 1) return [`${kind} ${id} is stored ${stored.length} times`];
      return [...endOf(one), ...audioOf(one), ...spanOf(one, legs.get(id) ?? [], limits)].map(
        (what) => `${kind} ${id} (${one.outcome}): ${what}`,
      );
    }),
    ...calls.flatMap(({ id }) => (placed.has(id) ? [] : [`${id} was never asked for`])),
    ...carrier.legs.flatMap(({ callRef, legRef }) => when(!placed.has(callRef), `${legRef} is of no call`)),
    ...carrier.legs.flatMap(({ legRef, state }) => when(state !== 'ended', `${legRef} is still ${state}`)),
    ...carrier.recordings.flatMap(({ recordingRef, durationMs }) =>
      when(durationMs === null, `${recordingRef} is still made`),
    ),
  ];
}

/** Checks that a call has one end, and that its events match the end. */
function endOf({ direction, status, outcome, endedAtMs, log, events }: StoredCall): string[] {
  const count = (wanted: string) => events.filter(({ type }) => type === wanted).length;
  const logged = log.filter(({ type, detail }) => type === 'hangup' || (type === 'failed' && 'outcome' in detail));
  const isMissed = direction === 'inbound' && outcome === 'missed';
  const missedAt = events.findIndex(({ type }) => type === 'call.missed');
  const [begins, other] = direction === 'inbound' ? ['call.started', 'call.placed'] : ['call.placed', 'call.started'];
  return [
    ...when(!['completed', 'failed', 'missed'].includes(status) || endedAtMs === null, `it is ${status}`),
    ...when(logged.length !== 1, `its log has ${logged.length} ends`),
    ...when(count('call.completed') !== 1, `it has ${count('call.completed')} call.completed`),
    ...when(count('call.missed') !== (isMissed ? 1 : 0), `it has ${count('call.missed')} call.missed`),
    ...when(isMissed && events[missedAt + 1]?.type !== 'call.completed', 'call.completed does not follow call.missed'),
    ...when(count(begins as string) !== 1 || count(other as string) !== 0, 'it did not begin once'),
    ...when(count('call.answered') > 1, `it has ${count('call.answered')} call.answered`),
    ...when(outcome === 'answered' && count('call.answered') !== 1, 'it has no call.answered'),
    ...when(hasGap(events), 'its events have a gap'),
  ];
}

/** Checks that each message and each recording is kept once, with its event. */
function audioOf({ outcome, log, recordings }: StoredCall): string[] {
  const lost = (what: string) => log.some(({ type, detail }) => type === 'failed' && detail['failed'] === what);
  const isStarted = log.some(({ type }) => type === 'recording_started');
  const isCancelled = log.some(({ type, detail }) => type === 'recording_stopped' && detail['reason'] !== undefined);
  const count = (wanted: string) => recordings.filter(({ purpose }) => purpose === wanted).length;
  const messages = outcome === 'voicemail' && !lost('voicemail') ? 1 : 0;
  const own = isStarted && !isCancelled && !lost('recording') ? 1 : 0;
  return [
    ...when(count('voicemail') !== messages, `it has ${count('voicemail')} messages`),
    ...when(count('call') !== own, `it has ${count('call')} recordings`),
    ...recordings.flatMap(({ id, events }) => when(events !== 1, `${id} has ${events} events`)),
  ];
}

/** How long work stands still after a kill: the restart, and the rest of the leases that the killed process had. */
const OUTAGE_MS = 20_000;

/** Checks when a call ended, and its usage, against the legs at the carrier. */
function spanOf(call: StoredCall, legs: readonly FarLeg[], { healedMs, outages }: Limits): string[] {
  const { connectedAtMs, endedAtMs, events, usage, recordings, direction } = call;
  const completed = events.find(({ type }) => type === 'call.completed');
  const hungUpMs = firstEnd(legs);
  const lateMs = hungUpMs === undefined || completed === undefined ? 0 : timeBetween(hungUpMs, completed.atMs, outages);
  const expected: string[] = [];
  const minutesOf = (kind: string) => usage.filter((use) => use.kind === kind);
  const spokenMs = connectedAtMs === null || endedAtMs === null ? 0 : endedAtMs - connectedAtMs;
  const kind = `call_minute_${direction}`;
  const recordedMs = recordings.find(({ purpose }) => purpose === 'call')?.durationMs ?? 0;
  for (const [what, ms] of [
    [kind, spokenMs],
    ['recording_minute', recordedMs],
  ] as const) {
    const wanted = ms > 0 ? [{ kind: what, quantity: Math.ceil(ms / 60_000), times: 1 }] : [];
    if (!same(minutesOf(what), wanted)) expected.push(`its ${what} is ${JSON.stringify(minutesOf(what))}`);
  }
  const farMs = connectedMs(legs);
  const [billed] = minutesOf(kind);
  const most = Math.ceil(((farMs ?? 0) + OUTAGE_MS) / 60_000);
  return [
    ...when(lateMs > healedMs, `it ended ${Math.round(lateMs / 1000)} s after its legs`),
    ...expected,
    ...when(billed !== undefined && farMs === undefined, 'minutes without a connection at the carrier'),
    ...when((billed?.quantity ?? 0) > most, `${billed?.quantity} minutes of ${Math.round((farMs ?? 0) / 1000)} s`),
  ];
}

/** Returns the milliseconds between two times. Leaves out the time without a running product. */
function timeBetween(fromMs: number, toMs: number, outages: readonly Outage[]): number {
  const out = outages.map((one) => Math.max(0, Math.min(toMs, one.toMs) - Math.max(fromMs, one.fromMs)));
  return toMs - fromMs - out.reduce((sum, ms) => sum + ms, 0);
}

/** Returns when the customer or the last agent left the call; undefined if no leg has ended. */
function firstEnd(legs: readonly FarLeg[]): number | undefined {
  const customers = legs.filter(({ party }) => party === 'customer').map(({ endedAtMs }) => endedAtMs ?? Infinity);
  const talking = legs.filter(({ party, answeredAtMs }) => party === 'agent' && answeredAtMs !== null);
  const agents = talking.length === 0 ? [] : [Math.max(...talking.map(({ endedAtMs }) => endedAtMs ?? Infinity))];
  const first = Math.min(...customers, ...agents);
  return Number.isFinite(first) ? first : undefined;
}

/** Returns how long the customer was connected; undefined if the customer never answered, or was never answered. */
function connectedMs(legs: readonly FarLeg[]): number | undefined {
  const customer = legs.find(({ party }) => party === 'customer');
  if (customer === undefined || customer.answeredAtMs === null) return undefined;
  return (customer.endedAtMs ?? Infinity) - customer.answeredAtMs;
}

function hasGap(events: readonly { readonly sequence: number }[]): boolean {
  return events.some(({ sequence }, index) => sequence !== index + 1);
}

function when(isWrong: boolean, what: string): string[] {
  return isWrong ? [what] : [];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
