/**
 * The exchange rings web clients, whichever carrier has the call. Their legs are rows of the database and never reach a
 * carrier. A carrier sends only the audio of the other party (`route-commands.ts`).
 */
import type { VoiceInstruction } from '../../../carriers/ports/voice.ts';
import type {
  SimulatedRequest,
  WebClientCall,
  WebClientCopies,
  WebClientLegIds,
} from '../../../carriers/ports/web-client.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { allThenThrow } from '../../../lib/errors/all-then-throw.ts';
import type { Ledger } from '../../../lib/scope.ts';
import {
  type CopiesOf,
  changeLeg,
  type Decide,
  type Decision,
  planCheck,
  pressKeys,
  readFreeStatus,
} from './change-leg.ts';
import { hasOtherLeg, listLegs, listLegsUp, type StoredLeg, saveLeg, type WebClientLeg } from './leg-queries.ts';
import { type LegRequest, ring, take } from './leg-rules.ts';

export type WebClientExchange = {
  /**
   * Returns the legs of the web client that have not ended. Also returns the legs in `known` (leg ids), ended or not.
   */
  listLegs(ledger: Ledger, webClientId: string, known: readonly string[]): Promise<WebClientLeg[]>;
  /** Returns the given legs (ids) that are up. */
  listLegsUp(ledger: Ledger, legIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** True if a leg of the web client is up, ringing or about to be dialled. */
  isBusy(tx: Tx, ledger: Ledger, webClientId: string): Promise<boolean>;
  /** Answers as the web client. Resolves with false if the leg is not ringing. */
  answer(ledger: Ledger, leg: WebClientLegIds): Promise<boolean>;
  /** Hangs up as the web client, or declines while the leg rings. Resolves with false if the leg has ended. */
  hangUp(ledger: Ledger, leg: WebClientLegIds): Promise<boolean>;
  /** Ends all legs of a revoked web client that are up, ringing or about to ring. */
  endLegs(ledger: Ledger, webClientId: string): Promise<void>;
  /** Sends digits as the web client. Resolves with false if the leg is not up. */
  sendDigits(ledger: Ledger, leg: WebClientLegIds, digits: string): Promise<boolean>;
  /** Adds a call that the web client places. Its own leg is up at once, and the domain dials the other party next. */
  addCall(tx: Tx, ledger: Ledger, call: WebClientCall): Promise<void>;
  /** Carries out a dial. Returns false if the leg was hung up before its dial. */
  ring(ledger: Ledger, callId: string, dial: Extract<VoiceInstruction, { do: 'dial' }>): Promise<boolean>;
  /** Ends the leg of a web client that listens to a call. If the leg has already ended, nothing changes. */
  endListener(ledger: Ledger, leg: WebClientLegIds): Promise<void>;
  /** Carries out a hang-up. After it, a leg that was not dialled yet can no longer be dialled. */
  end(ledger: Ledger, leg: WebClientLegIds & { webClientId: string; reason: string }): Promise<void>;
};

/** Creates the exchange. */
export function createWebClientExchange({ db }: Pick<Context, 'db'>, copiesOf: CopiesOf): WebClientExchange {
  const change = (ledger: Ledger, ids: WebClientLegIds, decide: Decide, opens = false): Promise<Decision | undefined> =>
    db.transaction((tx) => changeLeg(tx, ledger, { ids, decide, opens }, copiesOf(ledger)));
  const request = async (ledger: Ledger, ids: WebClientLegIds, asked: LegRequest): Promise<boolean> =>
    (await change(ledger, ids, decideOn(asked))) !== undefined;
  return {
    listLegs: (ledger, webClientId, known) => listLegs(db, ledger, { webClientId, known }),
    listLegsUp: (ledger, legIds) => listLegsUp(db, ledger, legIds),
    isBusy: (tx, ledger, webClientId) => hasOtherLeg(tx, ledger, { webClientId, legId: null }),
    answer: (ledger, ids) => request(ledger, ids, { do: 'answer' }),
    hangUp: (ledger, ids) => request(ledger, ids, { do: 'hang_up' }),
    endLegs: async (ledger, webClientId) => {
      const legs = await listLegs(db, ledger, { webClientId, known: [] });
      await allThenThrow(legs.map((leg) => request(ledger, leg, { do: 'lose' })));
    },
    sendDigits: async (ledger, ids, digits) => (await change(ledger, ids, pressKeys(digits))) !== undefined,
    addCall: async (tx, ledger, call) => {
      const { callId, legId, webClientId } = call;
      const leg = { legId, callId, webClientId, wasRung: false, state: 'up', endReason: null } as const;
      await saveLeg(tx, ledger, leg);
      await copiesOf(ledger)?.addCall(tx, ledger, call);
      await planCheck(tx, ledger, leg);
    },
    ring: async (ledger, callId, { legRef: legId, to: webClientId }) => {
      const ids = { callId, legId };
      const decide: Decide = async (tx, { leg: known, ringsNobody }) => {
        if (known !== undefined) return { leg: known };
        const leg = { ...ids, webClientId, wasRung: true, state: 'dialing', endReason: null } as const;
        const unanswered = ringsNobody ? take(leg, { do: 'end', cause: 'no_answer' }) : undefined;
        return { leg, step: unanswered ?? ring(legId, await readFreeStatus(tx, ledger, leg, 0), 0) };
      };
      const decided = await change(ledger, ids, decide, true);
      return decided !== undefined && decided.leg.state !== 'ended';
    },
    endListener: async (ledger, ids) => {
      await change(ledger, ids, decideOn({ do: 'cancel', reason: 'ended' }));
    },
    end: async (ledger, { callId, legId, webClientId, reason }) => {
      const ids = { callId, legId };
      const decide: Decide = (_tx, { leg: known }) => {
        const leg: StoredLeg = known ?? { ...ids, webClientId, wasRung: true, state: 'dialing', endReason: null };
        const step = take(leg, { do: 'cancel', reason });
        return step && { leg, step };
      };
      await change(ledger, ids, decide, true);
    },
  };
}

function decideOn(asked: LegRequest): Decide {
  return (_tx, { leg }) => {
    const step = leg && take(leg, asked);
    return leg && step && { leg, step };
  };
}

type Act = { readonly leg: WebClientLegIds; readonly request: SimulatedRequest; readonly copies: WebClientCopies };

/**
 * Does the action that a simulation requests of the person at a web client. If the state of the leg does not allow the
 * action, nothing changes.
 */
export async function actAtWebClient(tx: Tx, ledger: Ledger, { leg, request, copies }: Act): Promise<void> {
  await changeLeg(tx, ledger, { ids: leg, decide: decideOn(request) }, copies);
}
