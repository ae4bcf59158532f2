import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { TYPING_MS } from '../../api/tenants-found.ts';
import { useAsked } from '../../app/asked.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { useDebounced } from '../../lib/debounced.ts';
import { formatNumber, numberOf } from '../../lib/numbers.ts';
import { texts } from '../../texts/contacts.ts';
import { Button } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { rich } from '../../ui/rich.tsx';
import { NewContact } from './new-contact.tsx';

const t = texts.list;

/** The contacts of tenants. The search finds them by the starts of words, or by a whole number. */
export function ContactsPage() {
  const ledger = useLedger();
  const [{ tenant_id, q }, setFilters] = useFilters();
  const [isCreating, setCreating] = useState(false);
  const [number, setNumber] = useState<string>();
  useAsked('new', (asked) => {
    setNumber(numberOf(asked));
    setCreating(true);
  });
  const typed = useDebounced(q?.trim() ?? '', TYPING_MS);
  const contacts = useList(['contacts', 'list', { tenant_id, typed }], (api, page) =>
    api.contacts.list({ ...page, tenant_id, ...searchOf(typed) }),
  );
  const create = (
    <Button kind="primary" onPress={() => setCreating(true)}>
      <UserRoundPlus aria-hidden /> {t.newContact}
    </Button>
  );
  const close = () => {
    setCreating(false);
    setNumber(undefined);
  };
  return (
    <Page title={t.contacts} about={t.peopleTenantKnows} actions={create}>
      <FilterBar>
        <TextField
          label={t.nameCompanyNumber}
          placeholder={t.samOr}
          value={q ?? ''}
          onChange={(text) => setFilters({ q: text === '' ? undefined : text })}
        />
        <TenantFilter />
      </FilterBar>
      <DataList
        label={t.contacts}
        list={contacts}
        rowId={({ id }) => id}
        rowLink={({ id }) => ledgerPath(ledger, `contacts/${id}`)}
        columns={[
          { title: t.name, cell: ({ name }) => name, width: '1.4fr' },
          { title: t.company, cell: ({ company }) => company ?? '–' },
          { title: t.numbers, cell: ({ phone_numbers }) => numbersText(phone_numbers), width: '1.2fr' },
          { title: t.tenant, cell: (row) => <TenantName id={row.tenant_id} /> },
          { title: t.yourReference, cell: ({ external_ref }) => external_ref ?? '–' },
          { title: t.made, cell: (row) => <Moment at={row.created_at} tenantId={row.tenant_id} />, align: 'end' },
        ]}
        empty={typed === '' && tenant_id === undefined ? <NoContacts /> : <NoMatch typed={typed} />}
      />
      {isCreating && <NewContact tenantId={tenant_id} number={number} onClose={close} />}
    </Page>
  );
}

/** Text with the digits of a whole number is searched as a number; other text is searched as starts of words. */
function searchOf(typed: string) {
  if (typed === '') return {};
  const number = /\p{L}/u.test(typed) ? undefined : numberOf(typed);
  return number === undefined ? { q: typed } : { phone_number: number };
}

function numbersText([first, ...others]: readonly string[]): string {
  if (first === undefined) return '–';
  return others.length === 0 ? formatNumber(first) : t.andMore(formatNumber(first), others.length);
}

function NoContacts() {
  const body = { tenant_id: 'tnt_…', name: t.samOrtiz, phone_numbers: ['+16025550143'] };
  return (
    <EmptyState title={t.noContactsYet} curl={<Curl method="POST" path="/v1/contacts" body={body} />}>
      {rich(t.makeOneHere, <code>dialplane contacts import people.csv</code>)}
    </EmptyState>
  );
}

function NoMatch({ typed }: { typed: string }) {
  if (typed === '') return <EmptyState title={t.tenantNoContacts}>{t.chooseAnotherTenant}</EmptyState>;
  return <EmptyState title={t.noContactFound(typed)}>{t.searchedWereStarts}</EmptyState>;
}
