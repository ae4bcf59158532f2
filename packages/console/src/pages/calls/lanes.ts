/** What a drawing of a call shows: a lane for each party, with bars for what the party did. */
import type { Call } from '@dialplane/sdk/resources';
import { formatNumber } from '../../lib/numbers.ts';

export type BarKind = 'ringing' | 'talking' | 'held' | 'voicemail';

/** From one moment to another, in ms since the epoch; `toMs` is null while it lasts. */
export type Bar = { readonly kind: BarKind; readonly fromMs: number; toMs: number | null };

export type Lane = { readonly id: string; readonly name: string; readonly bars: Bar[] };

type Entry = Call['events'][number];
type Detail = Readonly<Record<string, unknown>>;

const CUSTOMER = 'customer';
const AGENT = 'agent';

/** Returns the lanes of a call, in the order in which their parties came to it. */
export function lanesOf(call: Call): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  const customer = call.direction === 'inbound' ? call.from : call.to;
  laneOf(lanes, CUSTOMER, `Customer ${nameOf(customer)}`);
  for (const entry of call.events) follow(lanes, call, entry);
  const endMs = call.ended_at === null ? null : Date.parse(call.ended_at);
  for (const { bars } of lanes.values()) for (const bar of bars) bar.toMs ??= endMs;
  return [...lanes.values()].filter(({ bars }) => bars.length > 0);
}

/** Follows one entry of the call's log. */
function follow(lanes: Map<string, Lane>, call: Call, { type, at, detail }: Entry): void {
  const atMs = Date.parse(at);
  const customer = laneOf(lanes, CUSTOMER, '');
  const given = detail as Detail;
  if (type === 'ringing') return begin(partyLane(lanes, call, given), 'ringing', atMs);
  if (type === 'target_ringing' || type === 'transfer_started') {
    const target = textOf(given['target'] ?? given['to']);
    return begin(laneOf(lanes, target, nameOf(target)), 'ringing', atMs);
  }
  if (type === 'target_cancelled' || type === 'transfer_failed') {
    return end(lanes.get(textOf(given['target'] ?? given['to'])), atMs);
  }
  if (type === 'transfer_completed') return begin(lanes.get(textOf(given['to'])), 'talking', atMs);
  if (type === 'answered') return answered(lanes, call, { detail: given, atMs });
  if (type === 'held') return begin(customer, 'held', atMs);
  if (type === 'resumed') return begin(customer, 'talking', atMs);
  if (type === 'voicemail_started') return begin(customer, 'voicemail', atMs);
}

/** The customer is heard from now on, and so is the target that answered. Other targets stop ringing. */
function answered(lanes: Map<string, Lane>, call: Call, { detail, atMs }: { detail: Detail; atMs: number }): void {
  const by = textOf(detail['answered_by']);
  if (detail['party'] !== undefined) return begin(partyLane(lanes, call, detail), 'talking', atMs);
  begin(laneOf(lanes, CUSTOMER, ''), 'talking', atMs);
  if (by !== 'voicemail' && by !== '') begin(laneOf(lanes, by, nameOf(by)), 'talking', atMs);
}

function partyLane(lanes: Map<string, Lane>, call: Call, detail: Detail): Lane {
  return detail['party'] === AGENT
    ? laneOf(lanes, AGENT, `Agent ${nameOf(call.connect_to ?? '')}`)
    : laneOf(lanes, CUSTOMER, '');
}

function laneOf(lanes: Map<string, Lane>, id: string, name: string): Lane {
  const lane = lanes.get(id) ?? { id, name, bars: [] };
  lanes.set(id, lane);
  return lane;
}

/** Ends what the lane's party does, and begins something else. */
function begin(lane: Lane | undefined, kind: BarKind, fromMs: number): void {
  end(lane, fromMs);
  lane?.bars.push({ kind, fromMs, toMs: null });
}

function end(lane: Lane | undefined, atMs: number): void {
  const last = lane?.bars.at(-1);
  if (last?.toMs === null) last.toMs = atMs;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function nameOf(party: string): string {
  return party === 'application' ? 'your application' : formatNumber(party);
}
