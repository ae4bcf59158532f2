/** The tenant's contacts for the numbers that an element shows. */
import type { Contact } from '@dialplane/sdk';
import { type Api, Refusal } from './api.ts';

type Options = {
  readonly api: Api;
  readonly tenant: () => string | undefined;
  /** True unless the session certainly may not read contacts. */
  readonly mayRead: () => boolean;
  /** Called when contacts were read. */
  readonly onChange: () => void;
};

/** A number, and the id of its contact if that is known; null if there is none. */
type Party = { readonly number: string; readonly contactId?: string | null };

type Page = { readonly data: Contact[] };

/** The API's limit for one request. */
const NUMBERS_MAX = 50;

export class Contacts {
  readonly #options: Options;
  readonly #known = new Map<string, { readonly contact: Contact | null; readonly contactId: string | null }>();

  constructor(options: Options) {
    this.#options = options;
  }

  find(number: string): Contact | undefined {
    return this.#known.get(number)?.contact ?? undefined;
  }

  /** Forgets everything, for a change of the session. */
  clear(): void {
    this.#known.clear();
  }

  /**
   * Reads the contacts of new parties, and of parties with a changed contact. After a failure the numbers are shown in
   * place of names, and the next `read` asks again.
   */
  async read(parties: readonly Party[]): Promise<void> {
    for (const { number, contactId } of parties) {
      if (contactId === null) this.#known.set(number, { contact: null, contactId });
    }
    const wanted = parties.filter(({ number, contactId }) => {
      return E164.test(number) && (contactId === undefined || this.#known.get(number)?.contactId !== contactId);
    });
    if (wanted.length === 0 || !this.#options.mayRead()) return;
    try {
      for (let at = 0; at < wanted.length; at += NUMBERS_MAX) await this.#readSome(wanted.slice(at, at + NUMBERS_MAX));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    this.#options.onChange();
  }

  async #readSome(wanted: readonly Party[]): Promise<void> {
    const { api, tenant } = this.#options;
    const numbers = [...new Set(wanted.map(({ number }) => number))].join(',');
    const { data } = await api.get<Page>('/contacts', { phone_numbers: numbers, limit: 100, tenant_id: tenant() });
    for (const { number, contactId } of wanted) {
      const found = data.find(({ phone_numbers }) => phone_numbers.includes(number)) ?? null;
      // The conversation may have a contact other than the one with its number.
      const isOther = contactId !== undefined && contactId !== null && contactId !== found?.id;
      const contact = isOther ? await api.get<Contact>(`/contacts/${contactId}`) : found;
      this.#known.set(number, { contact, contactId: contact?.id ?? null });
    }
  }
}

const E164 = /^\+[1-9][0-9]{6,14}$/;
