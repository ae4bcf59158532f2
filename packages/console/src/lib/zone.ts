import { createContext, useContext } from 'react';
import { useRead } from '../api/queries.ts';
import { openBrowserText } from './browser-text.ts';

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the zone of a tenant. Returns the browser's zone without a tenant, and until the tenant is read. */
export function useZone(tenantId: string | null | undefined): { name: string } {
  const { data } = useRead(['tenants', tenantId], (api) => api.tenants.get(tenantId as string), {
    enabled: typeof tenantId === 'string',
  });
  return { name: data?.timezone ?? OWN_ZONE };
}

/** The zone of the times that the person reads: the tenant's, the browser's, or UTC. */
export const ZONE_CHOICES = ['tenant', 'browser', 'utc'] as const;
export type ZoneChoice = (typeof ZONE_CHOICES)[number];

const chosen = openBrowserText('zone');

/** Chooses the zone of times for this browser. */
export function chooseZone(choice: ZoneChoice): void {
  chosen.write(choice);
}

/** Returns the choice of the person; `tenant` by default. */
export function useZoneChoice(): ZoneChoice {
  const stored = chosen.use();
  return ZONE_CHOICES.find((choice) => choice === stored) ?? 'tenant';
}

/** The zone of the times in a list. If all rows belong to one tenant, it is the tenant's zone. */
export type ListTimes = {
  readonly tenantId: string | undefined;
  /** A time calls this when it is shown. */
  readonly onTime: () => void;
};

export const ListTimesContext = createContext<ListTimes | undefined>(undefined);

/**
 * Returns the zone for a time of a tenant, by the choice of the person. A list sets one zone for all its times.
 * @returns also the list, which names the zone once for all of its times
 */
export function useShownZone(tenantId: string | null | undefined): { name: string; list: ListTimes | undefined } {
  const list = useContext(ListTimesContext);
  const choice = useZoneChoice();
  const { name } = useZone(list === undefined ? tenantId : list.tenantId);
  if (choice === 'utc') return { name: 'UTC', list };
  return { name: choice === 'browser' ? OWN_ZONE : name, list };
}
