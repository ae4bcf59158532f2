import { describeRegistryConformance } from '../../../test/conformance/registry.ts';
import { openJobsDatabase } from '../../../test/support/jobs.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { CarrierEvent } from '../ports/carrier.ts';
import { createSimulatedRegistry } from './registry.ts';
import { decideRegistration } from './registry-queries.ts';

describeRegistryConformance('simulated', async () => {
  const { db, ledgerId, close } = await openJobsDatabase();
  const ledger: Ledger = { ledgerId, accountId: 'acct_1', mode: 'test' };
  const events: CarrierEvent[] = [];
  const sink = async (_: Ledger, more: readonly CarrierEvent[]) => {
    events.push(...more);
  };
  return {
    registry: createSimulatedRegistry({ db, sink }),
    ledger,
    close,
    phoneNumber: '+16025550100',
    suspend: ({ ref }) => decideRegistration(db, ledger, { ref, status: 'suspended', reason: 'Too many complaints' }),
    settle: async () => events.splice(0),
  };
});
