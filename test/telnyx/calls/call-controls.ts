/** Controls of tests and people that act as the parties of a call. */
import type { World } from '../world.ts';
import type { LegLog } from './calls-state.ts';
import { quiet } from './clock.ts';
import type { Leg } from './hooks.ts';
import { callIn, hangUp, legsOf, type PersonCall, pickUp, press, talk } from './people.ts';
import type { Person } from './person.ts';

type LegView = Omit<Leg, 'partner'> & LegLog & { readonly partner: string | null };

type Asked = { readonly phoneNumber: string };

export type CallControls = {
  /** Changes what a person does from now on; all fields have their usual values unless given. */
  person(asked: Asked & Partial<Person>): Promise<null>;
  /** A person calls a number of the account. Returns the `call_control_id`. */
  callIn(call: PersonCall): Promise<string>;
  /** A person whose phone rings answers, even if their settings say that they never do. */
  pickUp(asked: Asked): Promise<null>;
  /** A person hangs up, in all calls. */
  hangUp(asked: Asked): Promise<null>;
  /** A person presses digits, in all answered calls. */
  press(asked: Asked & { readonly digits: string }): Promise<null>;
  /** A person talks, in all answered calls. */
  say(asked: Asked & { readonly ms: number }): Promise<null>;
  /** Returns all legs, oldest first, with what their persons have heard and pressed. */
  calls(asked: object): Promise<readonly LegView[]>;
  /**
   * Resolves when no person is about to answer, talk, press or hang up, nothing plays except endless loops, no
   * recording is being stored, and no webhook waits. Calls may still be running.
   */
  callsQuiet(asked: object): Promise<null>;
};

/** Returns the controls of calls. */
export function callControls(world: World): CallControls {
  const { calls } = world.state;
  const answered = (phoneNumber: string) => {
    const legs = legsOf(world, phoneNumber).filter(({ state }) => state === 'answered');
    if (legs.length === 0) throw new Error(`no call of ${phoneNumber} is answered`);
    return legs;
  };
  return {
    person: async ({ phoneNumber, ...changes }) => {
      calls.people.set(phoneNumber, changes);
      return null;
    },
    callIn: async (call) => callIn(world, call),
    pickUp: async ({ phoneNumber }) => {
      for (const leg of legsOf(world, phoneNumber)) pickUp(world, leg);
      return null;
    },
    hangUp: async ({ phoneNumber }) => {
      for (const leg of legsOf(world, phoneNumber)) hangUp(world, leg);
      return null;
    },
    press: async ({ phoneNumber, digits }) => {
      for (const leg of answered(phoneNumber)) press(world, leg, digits);
      return null;
    },
    say: async ({ phoneNumber, ms }) => {
      for (const leg of answered(phoneNumber)) talk(world, leg, ms);
      return null;
    },
    calls: async () => [...calls.legs.values()].map((leg) => view(world, leg)),
    callsQuiet: async () => {
      await quiet(calls.plans, world.settled);
      return null;
    },
  };
}

function view({ state }: World, leg: Leg): LegView {
  const log = state.calls.logs.get(leg.call_control_id) ?? { heard: [], digitsSent: '', pressed: '' };
  return { ...leg, ...log, partner: leg.partner?.call_control_id ?? null };
}
