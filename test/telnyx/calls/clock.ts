/** The planned actions on the legs. An action is dropped if its leg ends or the account is emptied before. */
import { time } from '../../support/emulator-time.ts';
import type { Leg } from './hooks.ts';

/** An answer cancels `ring` and a first command cancels `first_command`. The end of the leg cancels all kinds. */
type PlanKind = 'ring' | 'first_command' | 'other';

export type Plan = {
  readonly leg: Leg;
  readonly kind: PlanKind;
  /** False: `quiet` does not wait for it. */
  readonly isAwaited: boolean;
  /** Resolves once it has happened or was cancelled. */
  readonly done: Promise<void>;
  readonly cancel: () => void;
};

type Planned = {
  readonly leg: Leg;
  readonly ms: number;
  readonly kind?: PlanKind;
  readonly isAwaited?: boolean;
};

/** Acts after a pause. */
export function plan(plans: Set<Plan>, { leg, ms, kind = 'other', isAwaited = true }: Planned, act: () => void): Plan {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    timer.cancel();
    plans.delete(planned);
    resolve();
  };
  const timer = time.after(ms, () => {
    plans.delete(planned);
    act();
    resolve();
  });
  const planned: Plan = { leg, kind, isAwaited, done: promise, cancel: end };
  plans.add(planned);
  return planned;
}

/**
 * Makes `quiet` wait for this work about a leg too. A cancel does not stop the work; `quiet` no longer waits for it.
 */
export function awaitWork(plans: Set<Plan>, leg: Leg, work: Promise<void>): void {
  const planned: Plan = { leg, kind: 'other', isAwaited: true, done: work, cancel: () => plans.delete(planned) };
  plans.add(planned);
  void work.finally(planned.cancel);
}

/** Cancels the planned actions on a leg: all of them, or one kind. */
export function cancelPlans(plans: Set<Plan>, leg: Leg, kind?: PlanKind): void {
  for (const each of plans) if (each.leg === leg && (kind === undefined || each.kind === kind)) each.cancel();
}

/** Resolves once no awaited plan is left, and `rest` has resolved without a new one. */
export async function quiet(plans: Set<Plan>, rest: () => Promise<void>): Promise<void> {
  const awaited = () => [...plans].filter(({ isAwaited }) => isAwaited).map(({ done }) => done);
  do {
    for (let left = awaited(); left.length > 0; left = awaited()) await Promise.all(left);
    await rest();
  } while (awaited().length > 0);
}
