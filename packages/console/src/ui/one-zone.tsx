import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { ListTimesContext, useShownZone } from '../lib/zone.ts';
import { texts } from '../texts/ui.ts';
import css from './one-zone.module.css';

const t = texts.oneZone;

type OneZoneProps = {
  /** The tenant of all rows; by default the tenant that narrows the list, if any. */
  tenantId?: string | undefined;
  /** True if the list names the zone itself. */
  isNamedWithin?: boolean;
  children: ReactNode;
};

/** Shows all times in it in one zone, and names the zone above them. */
export function OneZone({ tenantId, isNamedWithin = false, children }: OneZoneProps) {
  const { tenant_id } = useSearch({ strict: false }) as { tenant_id?: string };
  const owner = tenantId ?? tenant_id;
  const [hasTimes, setHasTimes] = useState(false);
  const times = useMemo(() => ({ tenantId: owner, onTime: () => setHasTimes(true) }), [owner]);
  return (
    <ListTimesContext value={times}>
      {hasTimes && !isNamedWithin && <ZoneName />}
      {children}
    </ListTimesContext>
  );
}

/** Names the zone of the list around it. */
export function ZoneName() {
  const { name } = useShownZone(undefined);
  return <p className={css.zone}>{t.timesIn(name)}</p>;
}
