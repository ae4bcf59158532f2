import type { PhoneNumber } from '@dialplane/sdk/resources';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useRead } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { openTabStore } from '../../lib/tab-store.ts';

const store = openTabStore<string>({
  name: 'phone-contacts',
  isValue: (value) => typeof value === 'string',
  valuesMax: 100,
  charactersMax: 20_000,
});

/** This many of the newest conversations of a phone are searched for one with texts. */
const CONVERSATIONS = 25;

/**
 * Returns the number of a tenant that a phone texts and calls, and a function that chooses another number. The first
 * choice is the number that the phone used last in this tab. Otherwise it is the number of its newest texts, or the
 * first number. Only the function changes it.
 */
export function useContact(
  number: string,
  contacts: readonly PhoneNumber[],
): [contact: string | undefined, keep: (contact: string) => void] {
  const { accountId } = useLedger();
  const name = `${accountId} ${number}`;
  const kept = useSyncExternalStore(store.subscribe, store.all).get(name);
  const [shown, setShown] = useState<string>();
  const isContact = (each: string | undefined) => contacts.some(({ phone_number }) => phone_number === each);
  const current = [kept, shown].find(isContact);
  const isOpen = current === undefined;
  const texted = useRead(
    ['conversations', 'of', number],
    (api) => api.conversations.list({ external_number: number, limit: CONVERSATIONS }),
    { enabled: isOpen },
  );
  const withTexts = texted.data?.data.flatMap(({ phone_number_id, last_message_preview }) =>
    last_message_preview === '' ? [] : contacts.filter(({ id }) => id === phone_number_id),
  );
  const found = texted.isPending ? undefined : (withTexts?.[0] ?? contacts[0])?.phone_number;
  useEffect(() => {
    if (isOpen && found !== undefined) setShown(found);
  }, [isOpen, found]);
  return [current ?? found, (contact) => store.set(name, contact)];
}
