import { useFilters } from '../../app/filters.ts';
import { NumberField } from '../../app/number-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { e164Of } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import css from './inbox.module.css';
import { useUserName } from './user-name.ts';

const ANY = 'any';
const NOBODY = 'none';
/** The filters of the list, in addition to the tenant's filter. */
const FILTERS = [
  ...['tenant_id', 'phone_number_id', 'opted_out', 'external_number'],
  ...['state', 'assignee', 'tag', 'unread'],
] as const;
const WORK = [
  { id: ANY, text: 'Open and done' },
  { id: 'open', text: 'Open' },
  { id: 'done', text: 'Done' },
];
const READ = [
  { id: ANY, text: 'Read or not' },
  { id: 'true', text: 'Unread by me' },
  { id: 'false', text: 'Read by me' },
];
const STATES = [
  { id: ANY, text: 'Opted out or not' },
  { id: 'false', text: 'Not opted out' },
  { id: 'true', text: 'Opted out' },
];

/** Which conversations the list shows. The address of the page keeps it. */
export function ConversationFilters() {
  const [filters, change] = useFilters();
  const { tenant_id, phone_number_id, opted_out, external_number, state, assignee, tag, unread } = filters;
  const me = useUserName();
  const isAny = FILTERS.some((name) => filters[name] !== undefined);
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
        <Select
          label="State"
          options={WORK}
          value={state ?? ANY}
          onChange={(chosen) => change({ state: chosen === ANY ? undefined : chosen })}
        />
        <FilterText
          label="Assignee"
          placeholder="A user, then Enter"
          value={assignee === NOBODY ? undefined : assignee}
          onChange={(user) => change({ assignee: user })}
        />
        <Checkbox
          isSelected={assignee === NOBODY}
          onChange={(isNobody) => change({ assignee: isNobody ? NOBODY : undefined })}
        >
          Nobody has it
        </Checkbox>
        <FilterText label="Tag" value={tag} onChange={(text) => change({ tag: text })} />
        {me !== null && (
          <Select
            label="Unread"
            options={READ}
            value={unread ?? ANY}
            onChange={(chosen) => change({ unread: chosen === ANY ? undefined : chosen })}
          />
        )}
        {isAny && (
          <Button small onPress={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
            Show all
          </Button>
        )}
      </search>
    </details>
  );
}
