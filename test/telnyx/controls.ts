import { time } from '../support/emulator-time.ts';
import { type AudioControls, audioControls } from './audio/audio-controls.ts';
import { type CallControls, callControls } from './calls/call-controls.ts';
import type { RequestRule, Rule } from './faults.ts';
import { type PersonText, textIn } from './handsets.ts';
import { completeOrder } from './number-orders.ts';
import { type PortOutControls, portOutControls } from './port-outs.ts';
import { type PortingControls, portingControls } from './porting-progress.ts';
import { type RegistryControls, registryControls } from './registry-controls.ts';
import type { HandsetText, NumberStatus, OrderStatus } from './state.ts';
import type { Attempt } from './webhooks.ts';
import type { Accepted, Settings, World } from './world.ts';

type EmergencyEnd = 'active' | 'disabled' | 'provisioning-failed';

/** The controls of the emulator for tests and people: `POST /_control/{name}`, with the argument as the JSON body. */
export type Controls = CallControls &
  AudioControls &
  PortingControls &
  PortOutControls &
  RegistryControls & {
    /** A person texts a number of the account. Returns the message's id. */
    textIn(text: PersonText): Promise<string>;
    /** Returns the texts on a person's handset, oldest first. */
    handset(asked: { readonly phoneNumber: string }): Promise<readonly HandsetText[]>;
    /** Sets the faults; an empty list ends them. */
    faults(asked: { readonly rules: readonly Rule[]; readonly seed?: number }): Promise<null>;
    /** Returns how many requests and webhooks were struck by a fault since the last `faults`. */
    struck(asked: object): Promise<number>;
    /**
     * Strikes the next request that the rule fits. Resolves with true when the fault has hit a request (if Telnyx
     * carries the request out, after that). Resolves with false if no request came within `withinMs`.
     */
    ambush(asked: { readonly rule: RequestRule; readonly withinMs: number }): Promise<boolean>;
    /** Changes the delays. */
    set(settings: Partial<Settings>): Promise<null>;
    /** True: orders stay pending from now on, until `completeOrder`. */
    pendOrders(asked: { readonly pend: boolean }): Promise<null>;
    /** Ends a pending order, named by its id or its customer reference. */
    completeOrder(asked: {
      readonly id?: string;
      readonly reference?: string;
      readonly status: Exclude<OrderStatus, 'pending'>;
    }): Promise<null>;
    /** Sets the balance of the account, in USD. */
    setBalance(asked: { readonly amount: number }): Promise<null>;
    /** Refuses every POST with an error of the account's state, such as 20012; null puts the account in order. */
    setAccount(asked: { readonly error: string | null }): Promise<null>;
    /** Changes a number as Telnyx's staff does, or as if a report were lost: no webhook reports it. */
    setNumber(asked: {
      readonly phoneNumber: string;
      readonly status?: NumberStatus;
      readonly deletionLock?: boolean;
    }): Promise<null>;
    /** If true, adding a number to an address, or removing it, stays pending until `endEmergency`. */
    pendEmergency(asked: { readonly pend: boolean }): Promise<null>;
    /** Ends a pending change of a number's address with a status. */
    endEmergency(asked: { readonly phoneNumber: string; readonly status: EmergencyEnd }): Promise<null>;
    /**
     * Returns the newest requests that were carried out, oldest first: all, or the requests of one operation, such as
     * `POST /messages`.
     */
    requests(asked: { readonly operation?: string }): Promise<readonly Accepted[]>;
    /**
     * Resolves with true when the next such request has been carried out, before its reply leaves; with false if none
     * came in time. A test can kill the product at this moment.
     */
    nextRequest(asked: { readonly operation: string; readonly withinMs: number }): Promise<boolean>;
    /** Returns the newest attempts to post webhooks, oldest first; of one type of event, or of all. */
    webhooks(asked: { readonly type?: string }): Promise<readonly Attempt[]>;
    /** Posts an event again, with its old id and a new signature. Returns false if no event has the id. */
    repeatWebhook(asked: { readonly id: string }): Promise<boolean>;
    /** Resolves once no text is under way and no webhook waits. */
    settled(asked: object): Promise<null>;
    /** Returns the key that the signatures are checked with: base64 of its 32 bytes. */
    publicKey(asked: object): Promise<string>;
    /** Empties the account, and ends the faults. Resolves once no webhook of the old account can arrive. */
    reset(asked: object): Promise<null>;
  };

/** Creates the controls of a world. */
export function createControls(world: World): Controls {
  const { state, faults, webhooks, settings, accepted } = world;
  return {
    ...callControls(world),
    ...audioControls(world),
    ...portingControls(world),
    ...portOutControls(world),
    ...registryControls(world),
    textIn: async (text) => textIn(world, text),
    handset: async ({ phoneNumber }) => state.handsets.get(phoneNumber) ?? [],
    faults: async ({ rules, seed = 1 }) => {
      faults.set(rules, seed);
      return null;
    },
    struck: async () => faults.struck(),
    ambush: ({ rule, withinMs }) => faults.ambush(rule, withinMs),
    set: async (changes) => {
      Object.assign(settings, changes);
      return null;
    },
    pendOrders: async ({ pend }) => {
      state.ordersPend = pend;
      return null;
    },
    completeOrder: async ({ id, reference, status }) => {
      const order = [...state.orders.values()].find((each) => each.id === id || each.customer_reference === reference);
      if (order?.status !== 'pending') throw new Error(`no order ${id ?? reference} is pending`);
      completeOrder(state, order, status);
      return null;
    },
    setBalance: async ({ amount }) => {
      state.balance = amount;
      return null;
    },
    setAccount: async ({ error }) => {
      state.accountError = error;
      return null;
    },
    setNumber: async ({ phoneNumber, status, deletionLock }) => {
      const owned = state.numbers.get(phoneNumber);
      if (owned === undefined) throw new Error(`the account has no number ${phoneNumber}`);
      owned.status = status ?? owned.status;
      owned.deletion_lock_enabled = deletionLock ?? owned.deletion_lock_enabled;
      return null;
    },
    pendEmergency: async ({ pend }) => {
      state.emergencyPends = pend;
      return null;
    },
    endEmergency: async ({ phoneNumber, status }) => {
      const owned = state.numbers.get(phoneNumber);
      if (owned === undefined) throw new Error(`the account has no number ${phoneNumber}`);
      owned.emergency_status = status;
      return null;
    },
    requests: async ({ operation }) =>
      accepted.filter((request) => operation === undefined || request.operation === operation),
    nextRequest: ({ operation, withinMs }) => nextRequest(world, operation, withinMs),
    webhooks: async ({ type }) => webhooks.attempts().filter((each) => type === undefined || each.event_type === type),
    repeatWebhook: async ({ id }) => webhooks.repeat(id),
    settled: async () => {
      await world.settled();
      return null;
    },
    publicKey: async () => webhooks.publicKey,
    reset: async () => {
      world.reset();
      await webhooks.settled();
      return null;
    },
  };
}

function nextRequest({ watchers }: World, operation: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasCome: boolean) => {
      timer.cancel();
      watchers.delete(watch);
      resolve(hasCome);
    };
    const watch = (request: Accepted) => {
      if (request.operation === operation) end(true);
    };
    const timer = time.after(withinMs, () => end(false)).unref();
    watchers.add(watch);
  });
}
