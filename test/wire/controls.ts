/** The controls of the wire carrier: for its simulated people, and for its server. */
import { randomUUID } from 'node:crypto';
import { durationMsOf } from '../../src/audio/pcm.ts';
import type { CarrierEvent } from '../../src/carriers/ports/carrier.ts';
import { brandReview, campaignReview } from '../../src/carriers/simulated/registry.ts';
import {
  decideRegistration,
  findRegistration,
  type ReviewMode,
  setReviewMode,
} from '../../src/carriers/simulated/registry-queries.ts';
import type { Control } from '../../src/carriers/simulated/voice/call.ts';
import { beginInboundCall } from '../../src/carriers/simulated/voice/call-machine.ts';
import { parseScript } from '../../src/carriers/simulated/voice/machine/script.ts';
import { findLedger } from '../../src/db/ledgers.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Ledger } from '../../src/lib/scope.ts';
import { tonesFor } from '../../src/speech/speech-tones.ts';
import { advanceLedgerClock } from '../../src/test-clock/ledger-clock.ts';
import { time } from '../support/emulator-time.ts';
import { silentLog, sql } from '../support/jobs.ts';
import type { FaultRule, OperationRule } from './faults.ts';
import type { Network } from './network.ts';

/** The requests of tests, and their replies. */
export type Controls = {
  /** Replaces the faults. */
  faults(asked: { rules: readonly FaultRule[]; seed?: number }): Promise<null>;
  /** Returns how many operations and events have met a fault since `faults`. */
  struck(asked: object): Promise<number>;
  /** Strikes the next operation that fits; see `Faults.ambush`. */
  ambush(asked: { rule: OperationRule; withinMs: number }): Promise<boolean>;
  /** A person sends a text to a number of ours. Resolves with the carrier's id of it. */
  textIn(asked: { from: string; to: string; body: string; mediaUrls?: readonly string[] }): Promise<string>;
  /** A person calls a number of ours. */
  callIn(asked: { from: string; to: string; script?: string }): Promise<{ callRef: string; legRef: string }>;
  /** A party of a call answers, hangs up, presses keys, speaks or leaves a message. False if it cannot. */
  play(asked: { callRef: string; control: Control; spokenMs?: number }): Promise<boolean>;
  /** Sets how reviews of a ledger are decided: approved immediately, or by `decide`. */
  reviews(asked: { ledger: string; mode: ReviewMode }): Promise<null>;
  /** Decides the review of a brand or campaign, and reports the decision. */
  decide(asked: { ref: string; kind: 'brand' | 'campaign'; status: Decision; reason?: string }): Promise<null>;
  /** Moves the clock of a ledger. Resolves once all due events are reported and every report has been accepted. */
  advance(asked: { ledger: string; seconds: number }): Promise<null>;
  /** Resolves once every report has been accepted. */
  drained(asked: object): Promise<null>;
  /** Returns how many milliseconds of sound the product has played to the customer of a call. */
  played(asked: { callRef: string }): Promise<number>;
  /** Returns how many audio connections have been opened for a call. */
  audioConnections(asked: { callRef: string }): Promise<number>;
  /** Returns the digits, speeches and beeps that the carrier itself has played on a call. */
  sounds(asked: { callRef: string }): Promise<readonly WireSound[]>;
  /** Lets the parties of a call be silent between their words. */
  hush(asked: { callRef: string }): Promise<null>;
  /**
   * The customer of a call says words, also to a web client, which the simulated network does not know. The words are
   * audible immediately, and are reported as an utterance when they end.
   */
  sayNow(asked: { callRef: string; text: string }): Promise<null>;
  /** Breaks the audio connection of a call. */
  cutAudio(asked: { callRef: string }): Promise<null>;
  /** Returns how many texts with this body have reached a person. */
  received(asked: { to: string; body: string }): Promise<number>;
  /** Returns how often an operation was carried out for a ref of ours. */
  carriedOut(asked: { operation: string; ref: string }): Promise<number>;
  /** Returns the operations that were carried out more than once, with their refs. */
  repeated(asked: object): Promise<readonly string[]>;
  /** Returns the commands that the carrier has received. */
  history(asked: object): Promise<WireHistory>;
};

/** The commands that the carrier received. Times are milliseconds of the epoch. */
type WireHistory = {
  readonly texts: readonly { readonly ref: string; readonly to: string; readonly body: string }[];
  readonly legs: readonly WireLeg[];
  readonly recordings: readonly {
    readonly callRef: string;
    readonly recordingRef: string;
    /** Null: it has not ended. */
    readonly durationMs: number | null;
  }[];
};

type WireSound = { readonly kind: string; readonly content: string; readonly playedTo: readonly string[] };

type WireLeg = {
  readonly callRef: string;
  readonly legRef: string;
  readonly party: 'agent' | 'customer';
  readonly state: string;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
};

const TEXTS = 'select ref, "to", body from simulated_messages order by ref';
const LEGS = `select call_ref as "callRef", leg_ref as "legRef", party, state,
  extract(epoch from answered_at)::float8 * 1000 as "answeredAtMs",
  extract(epoch from ended_at)::float8 * 1000 as "endedAtMs" from simulated_legs order by leg_ref`;
const SOUNDS = `select kind, content, played_to as "playedTo" from simulated_sounds
  where call_ref = $1 and said_by is null order by starts_at`;
const RECORDINGS = `select call_ref as "callRef", recording_ref as "recordingRef",
  greatest(extract(epoch from ended_at - starts_at), 0)::float8 * 1000 as "durationMs"
  from simulated_recordings order by recording_ref`;

const CUSTOMER = `select leg_ref as ref from simulated_legs where call_ref = $1 and party = 'customer'`;

type Decision = 'approved' | 'rejected' | 'suspended';

/** Creates the controls of a network. `counts` has how often each operation was carried out, by operation and ref. */
export function createControls(network: Network, counts: ReadonlyMap<string, number>): Controls {
  const { db, executor, faults, outbox, takeEvents, workers } = network;
  const report = (ledger: Ledger, event: CarrierEvent) => db.transaction((tx) => takeEvents(tx, ledger, [event]));
  const owned = async (text: string, value: string): Promise<Ledger> => {
    const [row] = await sql<{ ledger_id: number }>(db, text, [value]);
    const ledger = row && (await findLedger(db, row.ledger_id));
    if (ledger === undefined) throw new Error(`the carrier has no ${value}`);
    return ledger;
  };
  const ownerOf = (phoneNumber: string) =>
    owned('select ledger_id from simulated_numbers where phone_number = $1 and released_at is null', phoneNumber);
  return {
    faults: async ({ rules, seed = 1 }) => {
      faults.set(rules, seed);
      return null;
    },
    struck: async () => faults.struck(),
    ambush: ({ rule, withinMs }) => faults.ambush(rule, withinMs),
    textIn: async ({ from, to, body, mediaUrls = [] }) => {
      const carrierMessageId = `handset:${randomUUID()}`;
      await report(await ownerOf(to), { type: 'message.received', carrierMessageId, from, to, body, mediaUrls });
      return carrierMessageId;
    },
    callIn: async ({ from, to, script }) => {
      const refs = { callRef: newId('call'), legRef: newId('call_leg') };
      const begun = beginInboundCall({ ...refs, from, to, script: script === undefined ? null : parseScript(script) });
      const ledger = await ownerOf(to);
      await db.transaction((tx) => executor.begin(tx, ledger, begun));
      return refs;
    },
    play: async ({ callRef, control, spokenMs = 1_000 }) => {
      const ledger = await owned('select ledger_id from simulated_calls where call_ref = $1', callRef);
      const input = { type: 'control', control, spokenMs } as const;
      return (await db.transaction((tx) => executor.execute(tx, { ledger, callRef, input }))) === undefined;
    },
    reviews: async ({ ledger, mode }) => {
      const own = await network.ledgerOf(ledger);
      await db.transaction((tx) => setReviewMode(tx, own, mode));
      return null;
    },
    decide: async ({ ref, kind, status, reason = null }) => {
      const ledger = await owned('select ledger_id from simulated_registrations where ref = $1', ref);
      await db.transaction(async (tx) => {
        await decideRegistration(tx, ledger, { ref, status, reason });
        const row = await findRegistration(tx, ledger, ref);
        if (row === undefined) throw new Error(`the carrier has no ${ref}`);
        const event: CarrierEvent =
          kind === 'brand'
            ? { type: 'brand.review', ref, review: brandReview(row) }
            : { type: 'campaign.review', ref, review: campaignReview(row) };
        await takeEvents(tx, ledger, [event]);
      });
      return null;
    },
    advance: async ({ ledger, seconds }) => {
      const { ledgerId } = await network.ledgerOf(ledger);
      await advanceLedgerClock({ db, log: silentLog, workers, ledgerId, advanceMs: seconds * 1000 });
      await outbox.drained();
      return null;
    },
    drained: async () => {
      await outbox.drained();
      return null;
    },
    played: async ({ callRef }) => network.lines.playedMs(callRef),
    audioConnections: async ({ callRef }) => network.lines.connections(callRef),
    sounds: async ({ callRef }) => sql(db, SOUNDS, [callRef]),
    hush: async ({ callRef }) => {
      network.lines.hush(callRef);
      return null;
    },
    sayNow: async ({ callRef, text }) => {
      network.lines.say(callRef, text);
      const startedAt = new Date(time.now());
      await time.sleep(durationMsOf(tonesFor(text)));
      const ledger = await owned('select ledger_id from simulated_calls where call_ref = $1', callRef);
      const [leg] = await sql<{ ref: string }>(db, CUSTOMER, [callRef]);
      if (leg === undefined) throw new Error(`${callRef} has no customer`);
      const ids = { callRef, legRef: leg.ref, utteranceRef: randomUUID() };
      await report(ledger, { type: 'leg.utterance', ...ids, text, startedAt, endedAt: new Date(time.now()) });
      return null;
    },
    cutAudio: async ({ callRef }) => {
      network.lines.cut(callRef);
      return null;
    },
    received: async ({ to, body }) => {
      const received = `select 1 from simulated_messages where "to" = $1 and body = $2 and status <> 'failed'`;
      return (await sql(db, received, [to, body])).length;
    },
    carriedOut: async ({ operation, ref }) => counts.get(`${operation} ${ref}`) ?? 0,
    repeated: async () => [...counts].flatMap(([name, count]) => (count > 1 ? [name] : [])),
    history: async () => ({
      texts: await sql(db, TEXTS),
      legs: await sql(db, LEGS),
      recordings: await sql(db, RECORDINGS),
    }),
  };
}
