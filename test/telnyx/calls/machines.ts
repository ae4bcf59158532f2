/** The detection of answering machines, as Telnyx's premium detection reports it. */
import type { World } from '../world.ts';
import { plan } from './clock.ts';
import type { Leg } from './hooks.ts';
import { personAt } from './person.ts';

/** From the answer to the verdict, and from there to the beep. */
const VERDICT_MS = { person: 800, fax: 1_500, machine: 3_000 } as const;
const BEEP_MS = 3_000;
const RESULTS = { person: 'human_residence', fax: 'fax_detected', machine: 'machine' } as const;

/** Reports who has answered a leg, and when a machine has beeped. */
export function detectMachine(world: World, leg: Leg): void {
  const { plans, people } = world.state.calls;
  const { is } = personAt(people, leg.person, false);
  const { from, to } = leg;
  const report = (what: string, result: string) =>
    world.calls.report(leg, `call.machine.premium.${what}.ended`, { from, to, result });
  plan(plans, { leg, ms: VERDICT_MS[is] }, () => {
    report('detection', RESULTS[is]);
    if (is === 'machine') plan(plans, { leg, ms: BEEP_MS }, () => report('greeting', 'beep_detected'));
  });
}
