/** The numbers of the account, or of one tenant. The phone texts and calls them. */
import { readApi, type ServerAccess } from '../server-access.ts';

export type OwnNumbers = {
  /** True for a number whose calls and texts the phone may receive. Without a tenant this is true for every number. */
  has(number: string): Promise<boolean>;
  /** Returns the active numbers, at most 100. */
  list(): Promise<readonly string[]>;
};

type Page = { readonly data: readonly { readonly phone_number: string; readonly status: string }[] };

/** Creates the list of numbers. With a tenant, the list is read again for each unknown number, once per number. */
export function createOwnNumbers(server: ServerAccess, tenantId: string | undefined): OwnNumbers {
  const known = new Map<string, boolean>();
  const list = async () => {
    const query = new URLSearchParams({ limit: '100', ...(tenantId !== undefined && { tenant_id: tenantId }) });
    const { data } = await readApi<Page>(server, `/phone_numbers?${query}`);
    for (const { phone_number } of data) known.set(phone_number, true);
    return data.filter(({ status }) => status === 'active').map(({ phone_number }) => phone_number);
  };
  return {
    list,
    has: async (number) => {
      if (tenantId === undefined) return true;
      if (!known.has(number)) {
        await list();
        known.set(number, known.get(number) ?? false);
      }
      return known.get(number) === true;
    },
  };
}
