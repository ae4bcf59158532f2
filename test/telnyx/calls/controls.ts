import type { World } from '../world.ts';
import { endLeg, type Leg } from './legs.ts';
import { callIn, legOfPerson, press } from './people.ts';
import type { Person } from './person.ts';

type LegView = Pick<Leg, 'call_control_id' | 'direction' | 'from' | 'to' | 'state'> & {
  /** The `call_control_id` of the leg that it is bridged with. */
  readonly bridgedWith: string | null;
};

/** Acts for the people on calls. A person who is on no call is an error. */
export type CallControls = {
  /** Sets how a person behaves from now on. */
  person(person: Person): Promise<null>;
  /** A person calls a number of the account. */
  callIn(asked: { readonly from: string; readonly to: string }): Promise<{ readonly call_control_id: string }>;
  hangUp(asked: { readonly phoneNumber: string }): Promise<null>;
  press(asked: { readonly phoneNumber: string; readonly digits: string }): Promise<null>;
  /** A person speaks. */
  say(asked: { readonly phoneNumber: string; readonly durationMs: number }): Promise<null>;
  /** Returns all legs that are known, oldest first. */
  calls(asked: object): Promise<readonly LegView[]>;
  /** Resolves once no person has a planned step. */
  callsQuiet(asked: object): Promise<null>;
};

export function callControls({ calls }: World): CallControls {
  return {
    person: async (person) => {
      calls.people.set(person.phoneNumber, person);
      return null;
    },
    callIn: async (asked) => callIn(calls, asked),
    hangUp: async ({ phoneNumber }) => {
      const leg = legOfPerson(calls, phoneNumber);
      endLeg(calls, leg, 'normal_clearing', leg.direction === 'incoming' ? 'caller' : 'callee');
      return null;
    },
    press: async ({ phoneNumber, digits }) => {
      press(calls, legOfPerson(calls, phoneNumber), digits);
      return null;
    },
    say: async ({ phoneNumber, durationMs }) => {
      calls.desk.say(legOfPerson(calls, phoneNumber), durationMs);
      return null;
    },
    calls: async () =>
      [...calls.legs.values()].map(({ call_control_id, direction, from, to, state, peer }) => ({
        ...{ call_control_id, direction, from, to, state },
        bridgedWith: peer?.call_control_id ?? null,
      })),
    callsQuiet: async () => {
      await calls.quiet();
      return null;
    },
  };
}
