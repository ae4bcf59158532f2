/**
 * Asks carriers about running port-ins every five minutes. A port-in takes days, and each of its reports may be lost.
 * Missed reports are applied in order.
 */
import type { CarrierEvent } from '../../../carriers/ports/carrier.ts';
import type { PortInReport } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import { canMove } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { heal } from '../../../queue/worker/heal.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import { applyNumberEvents } from '../carrier-events.ts';
import { listUnderWay, type PortInUnderWay } from './heal-queries.ts';
import { carrierMachine, type PortInStatus } from './rules.ts';

const ROUND_MS = 300_000;
const PAGE = 100;

type HealContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the sweep that looks port-ins up at their carriers. */
export function portInSweeps(context: HealContext): Sweep[] {
  const run = async () => {
    await healPortIns(context);
    return false;
  };
  return [defineSweep({ db: context.db, name: 'port_ins', everyMs: ROUND_MS, run })];
}

/** Runs one round over all live ledgers. */
async function healPortIns(context: HealContext): Promise<void> {
  const { db, log } = context;
  let page: PortInUnderWay[] = [];
  do {
    page = await listUnderWay(db, { after: page.at(-1)?.id ?? '', rows: PAGE });
    await heal(page, {
      ...{ db, log, what: 'port_ins' },
      ask: (portIn, ledger) => findMissed(context, ledger, portIn),
      apply: applyNumberEvents,
    });
  } while (page.length === PAGE);
}

/** Returns the reports that would move the port-in. */
async function findMissed(
  { carriers }: HealContext,
  ledger: Ledger,
  { id: ref, attempt, status, connection_id: connectionId }: PortInUnderWay,
): Promise<CarrierEvent[] | undefined> {
  const found = await carriers.porting(ledger, connectionId).findPortIn(ledger, { ref, attempt });
  const missed = found.found === 'accepted' ? movesFrom(status, found.reports) : [];
  if (missed.length === 0) return undefined;
  return missed.map((report) => ({ type: 'port_in.report', ref, attempt, report }));
}

function movesFrom(from: PortInStatus, reports: readonly PortInReport[]): PortInReport[] {
  let status = from;
  const moves: PortInReport[] = [];
  for (const report of reports) {
    if (!canMove(carrierMachine, status, report.status)) continue;
    status = report.status;
    moves.push(report);
  }
  return moves;
}
