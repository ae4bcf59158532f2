import { useSyncExternalStore } from 'react';
import { useLedger } from '../../app/ledger.ts';
import { openTabStore } from '../../lib/tab-store.ts';
import { type Draft, EMPTY_DRAFT, isDraft, isUntouched } from './draft.ts';

export type Drafts = { of(place: string): Draft; set(place: string, draft: Draft): void };

const store = openTabStore<Draft>({ name: 'drafts', isValue: isDraft, valuesMax: 100, charactersMax: 200_000 });

/**
 * Keeps what was written in each conversation while the person looks at others and at other pages, and over a reload.
 */
export function useDrafts(): Drafts {
  const { accountId, mode } = useLedger();
  const all = useSyncExternalStore(store.subscribe, store.all);
  const nameOf = (place: string) => `${accountId} ${mode} ${place}`;
  return {
    of: (place) => all.get(nameOf(place)) ?? EMPTY_DRAFT,
    set: (place, draft) => store.set(nameOf(place), isUntouched(draft) ? undefined : draft),
  };
}
