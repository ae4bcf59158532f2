import type { PortInStatus } from './rules.ts';
import type { PortIn } from './schema.ts';

/** The event of a port-in that has left `previousStatus`. */
export function portInStatusChanged(portIn: PortIn, previousStatus: PortInStatus) {
  return {
    type: 'port_in.status_changed',
    tenantId: portIn.tenant_id,
    resourceId: portIn.id,
    data: { ...portIn, previous_status: previousStatus },
  } as const;
}
