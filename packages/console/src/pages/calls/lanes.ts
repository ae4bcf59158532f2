/** The parts of a call's drawing: a lane for each party, with bars for its activities. */
import type { Call } from '@dialplane/sdk/resources';
import { agentIdOf } from '../../lib/agents.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/calls.ts';

const t = texts.lanes;

export type BarKind = 'ringing' | 'talking' | 'held' | 'voicemail';

/** A span from one moment to another, in ms since the epoch. `toMs` is null until it has ended. */
type Bar = { readonly kind: BarKind; readonly fromMs: number; toMs: number | null };

export type Lane = { readonly id: string; readonly name: string; readonly bars: Bar[] };

type Entry = Call['events'][number];
type Detail = Readonly<Record<string, unknown>>;

const CUSTOMER = 'customer';
const AGENT = 'agent';

/** Names an agent. */
type NameOf = (party: string) => string;

/** Returns the lanes of a call, in the order their parties joined it. */
export function lanesOf(call: Call, nameOfAgent: NameOf): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  const customer = call.direction === 'inbound' ? call.from : call.to;
  laneOf(lanes, CUSTOMER, t.customer(formatNumber(customer)));
  for (const entry of call.events) follow({ lanes, call, nameOfAgent }, entry);
  const endMs = call.ended_at === null ? null : Date.parse(call.ended_at);
  for (const { bars } of lanes.values()) for (const bar of bars) bar.toMs ??= endMs;
  return [...lanes.values()].filter(({ bars }) => bars.length > 0);
}

/** Returns the agents whom the log of a call names. */
export function agentsOf(call: Call): readonly string[] {
  const named = call.events.map(({ detail }) => detail as Detail);
  return [call.connect_to, ...named.flatMap((given) => [targetOf(given), given['answered_by']])]
    .map(textOf)
    .filter((agent) => agent !== '');
}

type Drawn = { readonly lanes: Map<string, Lane>; readonly call: Call; readonly nameOfAgent: NameOf };
type Step = Drawn & { readonly given: Detail; readonly atMs: number };

/** Follows one entry of the call's log. */
function follow(drawn: Drawn, { type, at, detail }: Entry): void {
  STEPS[type]?.({ ...drawn, given: detail as Detail, atMs: Date.parse(at) });
}

const customerBegins =
  (kind: BarKind) =>
  ({ lanes, atMs }: Step): void =>
    begin(laneOf(lanes, CUSTOMER, ''), kind, atMs);

const targetRings = ({ lanes, nameOfAgent, given, atMs }: Step): void => {
  const target = targetOf(given);
  begin(laneOf(lanes, target, nameOfAgent(target)), 'ringing', atMs);
};

const targetEnds = ({ lanes, given, atMs }: Step): void => end(lanes.get(targetOf(given)), atMs);

/** The changes that the entries of the log make. Other entries change no lane. */
const STEPS: Partial<Record<Entry['type'], (step: Step) => void>> = {
  ringing: (step) => begin(partyLane(step), 'ringing', step.atMs),
  target_ringing: targetRings,
  target_cancelled: targetEnds,
  transfer_started: transferStarts,
  transfer_failed: transferFails,
  transfer_completed: transferred,
  answered,
  held: customerBegins('held'),
  resumed: customerBegins('talking'),
  voicemail_started: customerBegins('voicemail'),
};

/** The new agent rings, the customer gets hold audio, and the previous agent gets no audio. */
function transferStarts(step: Step): void {
  for (const lane of connectedIn(step.lanes)) begin(lane, 'held', step.atMs);
  // A voicemail does not ring.
  if (targetOf(step.given) !== 'voicemail') targetRings(step);
}

/** The previous agent is hung up. */
function transferred({ lanes, given, atMs }: Step): void {
  const target = targetOf(given);
  for (const lane of connectedIn(lanes)) if (lane.id !== target) end(lane, atMs);
  begin(lanes.get(CUSTOMER), 'talking', atMs);
  begin(lanes.get(target), 'talking', atMs);
}

/** The customer is connected to the previous agent again. A call that was on hold stays on hold. */
function transferFails(step: Step): void {
  const { lanes, call, atMs } = step;
  targetEnds(step);
  if (isHeld({ events: call.events.filter(({ at }) => Date.parse(at) < atMs) })) return;
  for (const lane of connectedIn(lanes)) begin(lane, 'talking', atMs);
}

/** Returns the lanes of the parties that are on the line. */
function connectedIn(lanes: ReadonlyMap<string, Lane>): Lane[] {
  return [...lanes.values()].filter(({ bars }) => {
    const last = bars.at(-1);
    return last?.toMs === null && (last.kind === 'talking' || last.kind === 'held');
  });
}

/** Returns true if a call is on hold, by its log. A complete transfer ends the hold. */
export function isHeld({ events }: Pick<Call, 'events'>): boolean {
  return events.findLast(({ type }) => HOLDS.has(type))?.type === 'held';
}

const HOLDS: ReadonlySet<Entry['type']> = new Set(['held', 'resumed', 'transfer_completed']);

/** A party talks from now on. On an inbound call, both the customer and the answering party do. */
function answered(step: Step): void {
  const { lanes, nameOfAgent, given, atMs } = step;
  if (given['party'] !== undefined) {
    begin(partyLane(step), 'talking', atMs);
    return;
  }
  begin(laneOf(lanes, CUSTOMER, ''), 'talking', atMs);
  const by = agentIdOf(textOf(given['answered_by']));
  if (by !== 'voicemail' && by !== '') begin(laneOf(lanes, by, nameOf(by, nameOfAgent)), 'talking', atMs);
}

function partyLane({ lanes, call, nameOfAgent, given }: Step): Lane {
  if (given['party'] !== AGENT) return laneOf(lanes, CUSTOMER, '');
  return newAgentIn(lanes) ?? laneOf(lanes, AGENT, t.agent(nameOf(call.connect_to ?? '', nameOfAgent)));
}

/** Returns the lane of the agent who is rung by a transfer. The log calls both agents `agent`. */
function newAgentIn(lanes: ReadonlyMap<string, Lane>): Lane | undefined {
  return [...lanes.values()].find(({ id, bars }) => {
    const last = bars.at(-1);
    return id !== CUSTOMER && id !== AGENT && last?.kind === 'ringing' && last.toMs === null;
  });
}

function laneOf(lanes: Map<string, Lane>, id: string, name: string): Lane {
  const lane = lanes.get(id) ?? { id, name, bars: [] };
  lanes.set(id, lane);
  return lane;
}

/** Ends the present activity of the lane's party, and begins another. */
function begin(lane: Lane | undefined, kind: BarKind, fromMs: number): void {
  end(lane, fromMs);
  lane?.bars.push({ kind, fromMs, toMs: null });
}

function end(lane: Lane | undefined, atMs: number): void {
  const last = lane?.bars.at(-1);
  if (last?.toMs === null) last.toMs = atMs;
}

const targetOf = (given: Detail) => agentIdOf(textOf(given['target'] ?? given['to']));

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function nameOf(party: string, nameOfAgent: NameOf): string {
  return party === 'application' ? t.yourApplication : nameOfAgent(party);
}
