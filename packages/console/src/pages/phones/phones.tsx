import { Plus } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { apiOf } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useFilters } from '../../app/filters.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { useLive } from '../../app/live.tsx';
import { texts } from '../../texts/phones.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Curl } from '../../ui/code.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Page } from '../../ui/page.tsx';
import { AddPhone } from './add-phone.tsx';
import { type Desk, openDesk } from './desk.ts';
import { EventFeed } from './feed.tsx';
import { Phone } from './phone.tsx';
import css from './phones.module.css';

const t = texts.phones;

const PHONES_MAX = 4;
const FIRST_PHONES = ['+16025550143', '+16025550144'];
const CONTACTS_MAX = 100;

/** Phones of simulated people, with the events that they cause. */
export function PhonesPage() {
  const { mode } = useLedger();
  if (mode === 'live') {
    return (
      <Page title={t.devPhones}>
        <EmptyState title={t.onlyTestMode}>{t.simulatedPeopleLive}</EmptyState>
      </Page>
    );
  }
  return <TestPhones />;
}

function TestPhones() {
  const [numbers, setNumbers] = useNumbers();
  const [isAdding, setAdding] = useState(false);
  const desk = useDesk(numbers);
  return (
    <Page
      isWide
      title={t.devPhones}
      about={t.phonesSimulatedPeople}
      actions={
        <Button isDisabled={numbers.length >= PHONES_MAX} onPress={() => setAdding(true)}>
          <Plus aria-hidden /> {t.addAPhone}
        </Button>
      }
    >
      {desk !== undefined && (
        <Desktop desk={desk} numbers={numbers} onRemove={(number) => setNumbers(numbers.filter((n) => n !== number))} />
      )}
      {isAdding && (
        <AddPhone
          taken={numbers}
          onClose={() => setAdding(false)}
          onAdd={(number) => {
            setAdding(false);
            setNumbers([...numbers, number]);
          }}
        />
      )}
    </Page>
  );
}

type DesktopProps = { desk: Desk; numbers: readonly string[]; onRemove: (number: string) => void };

function Desktop({ desk, numbers, onRemove }: DesktopProps) {
  useSyncExternalStore(desk.subscribe, desk.version);
  const ledger = useLedger();
  const { data, error } = useRead(['phone_numbers', 'contacts'], (api) =>
    api.phoneNumbers.list({ limit: CONTACTS_MAX }),
  );
  const contacts = data?.data.filter(({ status }) => status === 'active');
  return (
    <>
      <ErrorNote error={error ?? desk.problem()} />
      {contacts?.length === 0 && (
        <EmptyState
          title={t.noNumberText}
          action={<ButtonLink to={ledgerPath(ledger, 'numbers')}>{t.buyANumber}</ButtonLink>}
          curl={<Curl path="/v1/phone_numbers/available?area_code=602&limit=1" />}
        >
          {t.phonesTextCall}
        </EmptyState>
      )}
      {contacts !== undefined && contacts.length > 0 && (
        <div className={css.desk}>
          <div className={css.phones}>
            {numbers.map((number) => (
              <Phone key={number} desk={desk} number={number} contacts={contacts} onRemove={() => onRemove(number)} />
            ))}
          </div>
          <EventFeed />
        </div>
      )}
    </>
  );
}

const NUMBERS_KEY = 'dialplane.console.phones';

/** The numbers of the phones: from the address of the page, otherwise the last choice in this browser. */
function useNumbers(): [readonly string[], (numbers: readonly string[]) => void] {
  const { accountId } = useLedger();
  const [{ phones }, setFilters] = useFilters();
  const name = `${NUMBERS_KEY} ${accountId}`;
  const chosen = phones ?? localStorage.getItem(name) ?? undefined;
  const listed = chosen?.split(',').flatMap((digits) => (/^\d{8,15}$/.test(digits) ? [`+${digits}`] : []));
  const numbers = listed ?? FIRST_PHONES;
  const change = (next: readonly string[]) => {
    const digits = next.map((number) => number.slice(1)).join(',') || '-';
    localStorage.setItem(name, digits);
    setFilters({ phones: digits });
  };
  return [[...new Set(numbers)].slice(0, PHONES_MAX), change];
}

/** Opens the desk of the ledger, and passes the events to it. */
function useDesk(numbers: readonly string[]): Desk | undefined {
  const { accountId, mode } = useLedger();
  const { subscribe } = useLive();
  const [desk, setDesk] = useState<Desk>();
  useEffect(() => {
    const opened = openDesk(apiOf({ accountId, mode }));
    setDesk(opened);
    return () => opened.close();
  }, [accountId, mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `subscribe` is another function each time, of one socket
  useEffect(() => desk && subscribe(desk.onEvent), [desk]);
  const joined = numbers.join(',');
  useEffect(() => {
    desk?.setNumbers(joined.split(',').filter(Boolean));
  }, [desk, joined]);
  return desk;
}
