/** The lines that carry the parties and sounds of a simulated call, and which parties and sounds are audible. */
import type { Line } from '../../ports/call-audio.ts';
import type { HandsetLine } from '../../ports/handset.ts';
import type { Party } from '../../ports/voice.ts';
import { isMachine } from '../magic-numbers.ts';
import { hasVoice, isHeardNow, type Leg, type SimulatedCall, type Sound } from './call.ts';

export const OVER: HandsetLine = { state: 'over', into: [], isApart: true };
const WAITS: HandsetLine = { state: 'waits', into: [], isApart: true };

/** Returns the party that says a sound; undefined for sounds of the carrier. */
export function speakerOf(sound: Sound, call: SimulatedCall | undefined): Party | undefined {
  return call?.legs.find((leg) => leg.leg_ref === sound.said_by)?.party;
}

/** Returns the line of a handset in a call, as it is now. */
export function lineIn({ legs }: SimulatedCall, legRef: string): HandsetLine {
  const leg = legs.find(({ leg_ref }) => leg_ref === legRef);
  if (leg === undefined || leg.state === 'ended') return OVER;
  if (leg.dialled && leg.state !== 'up') return WAITS;
  const hears = (other: Leg) => other.heard.some(({ by, until }) => by === legRef && until === null);
  const isApart = leg.party === 'agent' && !legs.some((other) => other.party === 'customer' && hears(other));
  return { state: 'on_call', into: linesOfLeg(leg, legs), isApart };
}

const NOBODY: readonly Line[] = [];
const CUSTOMER_LINES: readonly Line[] = ['inbound'];
const TO_CUSTOMER: readonly Line[] = ['outbound'];
const TO_AGENTS: readonly Line[] = ['agent'];

/**
 * Returns the lines that carry a party's audio now. An agent is on the line to the customer if the customer hears the
 * agent. If only another agent hears it, it is on the line to agents.
 */
function linesOfLeg(leg: Leg, legs: readonly Leg[]): readonly Line[] {
  // A recording contains the customer's words before any leg hears them.
  if (leg.party === 'customer') return CUSTOMER_LINES;
  if (!isHeardNow(leg)) return NOBODY;
  const isHeardBy = (other: Leg) => leg.heard.some(({ by, until }) => until === null && by === other.leg_ref);
  return legs.some((other) => other.party === 'customer' && isHeardBy(other)) ? TO_CUSTOMER : TO_AGENTS;
}

/** Returns the lines that carry the tone of a party. */
export function linesOfTone(party: Party, call: SimulatedCall | undefined): readonly Line[] {
  const legs = call?.legs ?? [];
  const toned = legs.find((leg) => leg.party === party && leg.state === 'up' && isHeardNow(leg) && !hasVoice(leg));
  return toned === undefined ? LINES_OF_PARTY[party] : linesOfLeg(toned, legs);
}

const LINES_OF_PARTY = { customer: CUSTOMER_LINES, agent: TO_CUSTOMER } as const;

/** True for a party that sends a tone while it does not speak. */
export function hasTone(party: Party, { legs }: SimulatedCall): boolean {
  return legs.some((leg) => {
    if (leg.party !== party || hasVoice(leg) || isMachine(leg.address)) return false;
    // The customer's line is audible before the answer, and the agent's after the bridge.
    return party === 'agent' ? leg.state === 'up' && isHeardNow(leg) : leg.state !== 'ended' && !leg.leaves_message;
  });
}

/** False for words or digits of an agent that the customer does not hear. */
export function isAudible(sound: Sound, { legs }: SimulatedCall): boolean {
  const speaker = legs.find((leg) => leg.leg_ref === sound.said_by);
  return speaker?.party !== 'agent' || isHeardNow(speaker);
}

/**
 * Returns the lines of a sound. A party's sound goes to the other party; the carrier's sound goes to the legs that it
 * names.
 */
export function linesOf(sound: Sound, call: SimulatedCall | undefined): readonly Line[] {
  const speaker = call?.legs.find((leg) => leg.leg_ref === sound.said_by);
  // A sound without a listener gets the line to the customer, and `isAudible` keeps it silent.
  if (speaker !== undefined && call !== undefined) {
    const lines = linesOfLeg(speaker, call.legs);
    return lines.length === 0 ? TO_CUSTOMER : lines;
  }
  const hearers = call?.legs.filter((leg) => sound.played_to.includes(leg.leg_ref)) ?? [];
  const lines = hearers.map((leg): Line => (leg.party === 'customer' ? 'outbound' : 'agent'));
  return [...new Set(lines)];
}
