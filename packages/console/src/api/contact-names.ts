import type { Contact } from '@dialplane/sdk/resources';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../app/ledger.ts';
import { apiOf, type Ledger, ledgerUrl } from './client.ts';
import { ledgerKey } from './ledger-key.ts';

/** Numbers whose names are requested within this time share a request. */
const GATHER_MS = 10;
/** The most numbers of a request. */
const NUMBERS_MAX = 50;
const E164 = /^\+[1-9]\d{6,14}$/;

type Asked = {
  readonly number: string;
  readonly resolve: (contacts: readonly Contact[]) => void;
  readonly reject: (error: unknown) => void;
};

const gathered = new Map<string, Asked[]>();

/** Reads the contacts with a number, in all tenants. All numbers that a page shows at once are one request. */
function readContactsOf(ledger: Ledger, number: string): Promise<readonly Contact[]> {
  return new Promise((resolve, reject) => {
    const key = ledgerUrl(ledger);
    const asked = gathered.get(key) ?? [];
    asked.push({ number, resolve, reject });
    if (asked.length === 1) setTimeout(() => void ask(ledger), GATHER_MS);
    gathered.set(key, asked);
    if (asked.length >= NUMBERS_MAX) void ask(ledger);
  });
}

async function ask(ledger: Ledger): Promise<void> {
  const key = ledgerUrl(ledger);
  const asked = gathered.get(key) ?? [];
  gathered.delete(key);
  if (asked.length === 0) return;
  try {
    const phone_numbers = [...new Set(asked.map(({ number }) => number))].join(',');
    const contacts: Contact[] = [];
    for await (const contact of apiOf(ledger).contacts.list({ phone_numbers, limit: 100 })) contacts.push(contact);
    for (const { number, resolve } of asked) {
      resolve(contacts.filter((contact) => contact.phone_numbers.includes(number)));
    }
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** Returns the contact of a tenant that has the number: undefined while it is read, null if there is none. */
export function useContactOf(tenantId: string | null, number: string): Contact | null | undefined {
  const ledger = useLedger();
  const isNumber = E164.test(number) && tenantId !== null;
  const { data, isError } = useQuery({
    queryKey: ledgerKey(ledger, 'contacts', 'of number', number),
    queryFn: () => readContactsOf(ledger, number),
    enabled: isNumber,
  });
  if (!isNumber || isError) return null;
  return data === undefined ? undefined : (data.find((contact) => contact.tenant_id === tenantId) ?? null);
}
