import type { Tenant } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { useNow } from '../../lib/now.ts';
import { momentOf, wallTime } from '../../lib/wall-time.ts';
import { useZone } from '../../lib/zone.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, TextField } from '../../ui/field.tsx';
import css from './composer.module.css';
import type { Draft } from './draft.ts';

const t = texts.timePart;

const DAY_MS = 86_400_000;

type TimePartProps = {
  draft: Draft;
  tenantId: string | undefined;
  onChange: (changed: Partial<Draft>) => void;
};

/** When a text is sent: at a chosen time in the tenant's zone, or after the quiet hours. */
export function TimePart({ draft, tenantId, onChange }: TimePartProps) {
  const { name: zone } = useZone(tenantId);
  const now = useNow();
  const { data: tenant } = useRead(['tenants', tenantId], (api) => api.tenants.get(tenantId as string), {
    enabled: tenantId !== undefined,
  });
  const quiet = tenant?.quiet_hours ?? null;
  const tomorrow = now === undefined ? undefined : new Date(now.getTime() + DAY_MS);
  return (
    <div className={css.part}>
      <TextField
        label={t.sendAt}
        type="datetime-local"
        hint={t.timeFrom1(zone)}
        value={draft.sendAt === null ? '' : wallTime(new Date(draft.sendAt), zone)}
        onChange={(wall) => onChange({ sendAt: wall === '' ? null : momentOf(wall, zone) })}
      />
      {tomorrow !== undefined && (
        <div>
          <Button small onPress={() => onChange({ sendAt: momentOf(wallTime(tomorrow, zone), zone) })}>
            {t.tomorrowTime}
          </Button>
        </div>
      )}
      <Checkbox
        isSelected={draft.respectsQuietHours}
        onChange={(respectsQuietHours) => onChange({ respectsQuietHours })}
      >
        {quiet === null ? t.respectQuietHours : t.respectQuietHoursZone(hoursOf(quiet), quiet.zone)}
      </Checkbox>
    </div>
  );
}

function hoursOf({ start, end }: NonNullable<Tenant['quiet_hours']>): string {
  return start === undefined ? t.byWeekday : t.to(start, end ?? '');
}
