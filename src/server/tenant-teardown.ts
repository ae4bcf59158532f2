/** What else is removed when a tenant is deleted. */
import type { TeardownStep } from '../context.ts';
import { revokeTenantKeys, revokeTenantSessions } from '../domain/accounts/index.ts';
import { deleteTenantForms, endTenantCampaigns } from '../domain/compliance/index.ts';
import { deleteTenantContacts } from '../domain/contacts/index.ts';
import { deleteTenantTemplates } from '../domain/messaging/index.ts';
import {
  cancelTenantPortIns,
  deleteTenantAddresses,
  deleteTenantDocuments,
  deleteTenantRoutingConfigs,
  releaseTenantNumbers,
} from '../domain/numbers/index.ts';
import { deleteTenantQueues, revokeTenantWebClients } from '../domain/voice/index.ts';

/**
 * The steps, in order. Port-ins come first, because a port-in may complete now and its numbers must then be released
 * too. Addresses and routing configs come after the numbers, which refer to them. Queues come after the routing
 * configs.
 */
export const TENANT_TEARDOWN: readonly TeardownStep[] = [
  cancelTenantPortIns,
  deleteTenantDocuments,
  releaseTenantNumbers,
  deleteTenantAddresses,
  deleteTenantRoutingConfigs,
  deleteTenantQueues,
  endTenantCampaigns,
  revokeTenantKeys,
  revokeTenantSessions,
  deleteTenantForms,
  deleteTenantTemplates,
  deleteTenantContacts,
  revokeTenantWebClients,
];
