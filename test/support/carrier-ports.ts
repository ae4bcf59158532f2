import type { CarrierCapability, Carriers } from '../../src/carriers/ports/carrier.ts';
import type { Harness } from './harness.ts';

/**
 * Runs `work` with one port of the carriers of both modes replaced, then restores it. `change` makes the replacement
 * from the port of the simulated carrier.
 */
export async function withPort<Name extends CarrierCapability, T>(
  { context }: Pick<Harness, 'context'>,
  name: Name,
  change: (simulated: ReturnType<Carriers[Name]>) => ReturnType<Carriers[Name]>,
  work: () => Promise<T>,
): Promise<T> {
  const { carriers } = context;
  const { choose } = carriers;
  const original = carriers[name];
  const simulated = original({ ledgerId: 0, accountId: '', mode: 'test' }, null) as ReturnType<Carriers[Name]>;
  const changed = change(simulated);
  carriers[name] = (() => changed) as Carriers[Name];
  // Otherwise a live ledger has no connection for this capability.
  carriers.choose = (wanted, ledger) => (wanted === name ? null : choose(wanted, ledger));
  try {
    return await work();
  } finally {
    carriers[name] = original;
    carriers.choose = choose;
  }
}
