/** Digits that agents press on calls with streams. This module sends them to the gateway that has the call's audio. */
import { randomUUID } from 'node:crypto';
import type { Bus } from '../../db/bus.ts';
import type { AgentDigits } from '../../domain/voice/index.ts';

const CHANNEL = 'agent-digits';

/**
 * How many references of the latest messages are kept. A message comes twice if the sender's connection broke while the
 * message was sent.
 */
const SEEN_MAX = 1_000;

/**
 * If equal messages wait together, the bus sends only one of them. A digit may be pressed twice, so each message has a
 * reference.
 */
type Message = AgentDigits & { readonly ref?: string };

export function publishDigits(bus: Bus, digits: AgentDigits): void {
  bus.publish(CHANNEL, JSON.stringify({ ...digits, ref: randomUUID() } satisfies Message));
}

/** Calls `take` once for each message. */
export function subscribeDigits(bus: Bus, take: (digits: AgentDigits) => void): void {
  const seen = new Set<string>();
  bus.subscribe(CHANNEL, (payload) => {
    const { ref, ...digits } = JSON.parse(payload) as Message;
    // Earlier versions send no reference with a message.
    if (ref !== undefined) {
      if (seen.has(ref)) return;
      seen.add(ref);
      if (seen.size > SEEN_MAX) seen.delete(seen.values().next().value ?? '');
    }
    take(digits);
  });
}
