/** The teardown of the rest of a tenant when it is deleted. */
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
 * The steps, in their order. Port-ins first: a port-in may complete now, and its numbers must then be released too.
 * Addresses and routing configs after the numbers, which refer to them, and queues after the routing configs.
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
