/**
 * Reports to the domain. An end is reported before it is stored. After a crash between the two, the engine is compared
 * and the report is repeated.
 */
import { findLedger } from '../../db/ledgers.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import type { VoiceEvent } from '../ports/voice.ts';
import { endLeg, type LegEnd, type SipLeg } from './leg-queries.ts';
import type { SipLine } from './sip-line.ts';

export async function report(line: SipLine, ledgerId: number, events: readonly VoiceEvent[]): Promise<void> {
  const ledger = events.length === 0 ? undefined : await findLedger(line.db, ledgerId);
  if (ledger !== undefined) await line.sink(ledger, events);
}

/** Returns the domain's names for a leg and its call. */
export const refsOf = ({ callRef, legRef }: SipLeg) => ({ callRef, legRef });

/** Reports the end of a leg, and stores it. */
export async function reportEnd(line: SipLine, leg: SipLeg, end: LegEnd): Promise<void> {
  const { ledgerId, legRef } = leg;
  await report(line, ledgerId, [{ type: 'leg.ended', ...refsOf(leg), ...end }]);
  await endLeg(line.db, { ledgerId, connectionId: line.connectionId, legRef }, end);
}

const flights = createSingleFlight();
/** The domain and the engine answer within seconds. Work that waits longer fails, and is tried again. */
const WAIT_MS = 30_000;

/**
 * Runs work about one object, such as a speech, after the earlier work about it. One process at a time is connected to
 * an engine, so all the work that its events cause has an order.
 */
export async function inTurn(name: string, work: () => Promise<void>): Promise<void> {
  const { late } = await flights.run(name, WAIT_MS, work);
  if (late) throw new Error(`earlier work about ${name} has not ended`);
}
