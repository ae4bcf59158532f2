import { useFilters } from '../../app/filters.ts';
import { NumberField } from '../../app/number-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { NUMBER_FILTER } from '../../lib/numbers.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/field.tsx';
import { anyText, FilterText } from '../../ui/filter-text.tsx';
import css from './inbox.module.css';
import { useUserName } from './user-name.ts';

const t = texts.conversationFilters;

const ANY = 'any';
const NOBODY = 'none';
/** The filters of the list, in addition to the tenant's filter. */
const FILTERS = [
  ...['tenant_id', 'phone_number_id', 'opted_out', 'external_number'],
  ...['state', 'assignee', 'tag', 'unread'],
] as const;
const WORK = [
  { id: ANY, text: t.openAndDone },
  { id: 'open', text: t.open },
  { id: 'done', text: t.done },
];
const READ = [
  { id: ANY, text: t.readOrNot },
  { id: 'true', text: t.unreadByMe },
  { id: 'false', text: t.readByMe },
];
const STATES = [
  { id: ANY, text: t.optedOutNot },
  { id: 'false', text: t.notOptedOut },
  { id: 'true', text: t.optedOut },
];

/** The filters of the list of conversations. The address of the page stores them. */
export function ConversationFilters() {
  const [filters, change] = useFilters();
  const { tenant_id, phone_number_id, opted_out, external_number, state, assignee, tag, unread } = filters;
  const me = useUserName();
  const isAny = FILTERS.some((name) => filters[name] !== undefined);
  return (
    <details className={css.filters} open={isAny}>
      <summary>{t.filter}</summary>
      <search aria-label={t.filters}>
        <TenantFilter clears={['phone_number_id']} />
        <NumberField
          key={tenant_id}
          label={t.yourNumber}
          tenantId={tenant_id}
          value={phone_number_id ?? null}
          onChange={(id) => change({ phone_number_id: id ?? undefined })}
        />
        <FilterText
          label={t.theirNumber}
          {...NUMBER_FILTER}
          value={external_number}
          onChange={(number) => change({ external_number: number })}
        />
        <Select
          label={t.optOut}
          options={STATES}
          value={opted_out ?? ANY}
          onChange={(state) => change({ opted_out: state === ANY ? undefined : state })}
        />
        <Select
          label={t.state}
          options={WORK}
          value={state ?? ANY}
          onChange={(chosen) => change({ state: chosen === ANY ? undefined : chosen })}
        />
        <FilterText
          label={t.assignee}
          isWhole={anyText}
          value={assignee === NOBODY ? undefined : assignee}
          onChange={(user) => change({ assignee: user })}
        />
        <Checkbox
          isSelected={assignee === NOBODY}
          onChange={(isNobody) => change({ assignee: isNobody ? NOBODY : undefined })}
        >
          {t.nobodyHasIt}
        </Checkbox>
        <FilterText label={t.tag} isWhole={anyText} value={tag} onChange={(text) => change({ tag: text })} />
        {me !== null && (
          <Select
            label={t.unread}
            options={READ}
            value={unread ?? ANY}
            onChange={(chosen) => change({ unread: chosen === ANY ? undefined : chosen })}
          />
        )}
        {isAny && (
          <Button small onPress={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
            {t.showAll}
          </Button>
        )}
      </search>
    </details>
  );
}
