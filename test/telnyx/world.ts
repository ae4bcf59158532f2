import { randomUUID } from 'node:crypto';
import { time } from '../support/emulator-time.ts';
import { createCalls } from './calls/calls.ts';
import type { Calls } from './calls/hooks.ts';
import { createFaults, type Faults } from './faults.ts';
import { clearState, createState, type State } from './state.ts';
import { openWebhooks, type Timing, type Webhooks } from './webhooks.ts';

/** The settings of the emulator at its start. The control `set` changes them. */
export type Settings = {
  /** How long a request and its reply are under way, together. */
  roundTripMs: number;
  /** The duration of each step of a text (to the carrier, to the handset), of a registration and of a port. */
  stepMs: number;
  /** How long a character of a speech takes. */
  characterMs: number;
  /** How long the files of inbound texts can be fetched. */
  mediaLifeMs: number;
  /** How long a document without a port is kept. */
  documentLifeMs: number;
  /** How long a link to a recording can be fetched. */
  recordingLifeMs: number;
  /** True: the account is new and may have two calls at once. */
  newAccount: boolean;
  /** True: recordings fail at their end. */
  recordingsFail: boolean;
  /** True: streams reach no application. */
  streamsFail: boolean;
  /**
   * True: the media messages of a stream come in another order, up to three messages away from their place, and `start`
   * after the first three of them.
   */
  streamsShuffle: boolean;
  /**
   * The codec of a stream's audio, whatever codec was requested: Telnyx may use the codec of the leg. G722 is noise of
   * the same length.
   */
  streamsCodec: 'PCMU' | 'PCMA' | 'G722';
  /** True: a portability check names the losing carrier, as Telnyx's pages say and its types do not. */
  showsLosingCarrier: boolean;
  /** True: campaigns are reported by the flat body of Telnyx's document of 2026, without an envelope. */
  flatCampaignReports: boolean;
  /**
   * The identity of a sole proprietor before the code: Telnyx's types have the first value, its page on them the
   * second.
   */
  personIdentity: 'SELF_DECLARED' | 'PENDING';
  /** The least and the most use cases of a mixed campaign. */
  mixedUseCases: readonly [least: number, most: number];
  /** Where the account wants port-outs to be reported; empty for nowhere. */
  portOutUrl: string;
};

/** A request that was carried out. */
export type Accepted = {
  readonly operation: string;
  readonly path: string;
  readonly body: unknown;
  readonly at: string;
};

/** Everything that the parts of an emulator share. */
export type World = {
  readonly settings: Settings;
  readonly organizationId: string;
  readonly state: State;
  readonly faults: Faults;
  readonly webhooks: Webhooks;
  readonly calls: Calls;
  /** The newest requests that were carried out, oldest first. */
  readonly accepted: Accepted[];
  /** Called after each request that was carried out, before its reply leaves. */
  readonly watchers: Set<(request: Accepted) => void>;
  /** Returns the address of the server. */
  readonly origin: () => string;
  /** Acts after a pause, unless the account is emptied before. */
  readonly later: (ms: number, act: () => void) => void;
  /** Resolves once nothing is under way: no step of a text, no webhook. */
  readonly settled: () => Promise<void>;
  /** Starts again with an empty account and no faults. */
  readonly reset: () => void;
};

/** Creates a world with an empty account. */
export function createWorld(settings: Settings, timing: Timing, origin: () => string): World {
  const faults = createFaults();
  const webhooks = openWebhooks(faults, timing);
  const state = createState();
  const steps = new Set<Promise<void>>();
  let life = new AbortController();
  const world: World = {
    settings,
    organizationId: randomUUID(),
    state,
    faults,
    webhooks,
    calls: createCalls(state.calls, webhooks),
    accepted: [],
    watchers: new Set(),
    origin,
    later: (ms, act) => {
      const step = time.sleep(ms, { signal: life.signal }).then(act, ignoreAbort);
      steps.add(step);
      void step.finally(() => steps.delete(step));
    },
    settled: async () => {
      do {
        while (steps.size > 0) await Promise.all(steps);
        await webhooks.settled();
      } while (steps.size > 0);
    },
    reset: () => {
      life.abort();
      life = new AbortController();
      clearState(state);
      world.accepted.length = 0;
      faults.set([], 0);
      webhooks.reset();
    },
  };
  return world;
}

/** Planned work ends without a failure when the account is emptied. */
function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}
