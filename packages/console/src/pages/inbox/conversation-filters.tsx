import { useFilters } from '../../app/filters.ts';
import { NumberField } from '../../app/number-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import css from './inbox.module.css';

const ANY = 'any';
const STATES = [
  { id: ANY, text: 'Opted out or not' },
  { id: 'false', text: 'Not opted out' },
  { id: 'true', text: 'Opted out' },
];

/** Which conversations the list shows. The address of the page keeps it. */
export function ConversationFilters() {
  const [filters, change] = useFilters();
  const { tenant_id, phone_number_id, opted_out, external_number } = filters;
  const isAny = [tenant_id, phone_number_id, opted_out, external_number].some((value) => value !== undefined);
  return (
    <details className={css.filters} open={isAny}>
      <summary>Filter</summary>
      <search aria-label="Filters">
        <TenantFilter clears={['phone_number_id']} />
        <NumberField
          key={tenant_id}
          label="Your number"
          tenantId={tenant_id}
          value={phone_number_id ?? null}
          onChange={(id) => change({ phone_number_id: id ?? undefined })}
        />
        <FilterText
          label="Their number"
          placeholder="+16025550143, then Enter"
          parse={e164Of}
          value={external_number}
          onChange={(number) => change({ external_number: number })}
        />
        <Select
          label="Opt-out"
          options={STATES}
          value={opted_out ?? ANY}
          onChange={(state) => change({ opted_out: state === ANY ? undefined : state })}
        />
        {isAny && (
          <Button
            small
            onPress={() =>
              change({
                tenant_id: undefined,
                phone_number_id: undefined,
                opted_out: undefined,
                external_number: undefined,
              })
            }
          >
            Show all
          </Button>
        )}
      </search>
    </details>
  );
}
