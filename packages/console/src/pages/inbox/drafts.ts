import { useSyncExternalStore } from 'react';
import { useLedger } from '../../app/ledger.ts';
import { openTabStore } from '../../lib/tab-store.ts';
import { type Draft, EMPTY_DRAFT, isDraft, isUntouched, joinDrafts } from './draft.ts';

export type Drafts = {
  of(place: string): Draft;
  set(place: string, draft: Draft): void;
  /** Moves the draft of the place `from` to the end of the draft of the place `to`. */
  move(from: string, to: string): void;
};

const store = openTabStore<Draft>({ name: 'drafts', isValue: isDraft, valuesMax: 100, charactersMax: 200_000 });

/** Keeps the draft of each conversation while the person opens other conversations and pages, and over a reload. */
export function useDrafts(): Drafts {
  const { accountId, mode } = useLedger();
  const all = useSyncExternalStore(store.subscribe, store.all);
  const nameOf = (place: string) => `${accountId} ${mode} ${place}`;
  return {
    of: (place) => all.get(nameOf(place)) ?? EMPTY_DRAFT,
    set: (place, draft) => store.set(nameOf(place), isUntouched(draft) ? undefined : draft),
    move: (from, to) => {
      // Reads the drafts again, because the caller may have rendered before the latest keystroke.
      const [moved, present] = [store.all().get(nameOf(from)), store.all().get(nameOf(to))];
      if (moved === undefined) return;
      store.set(nameOf(to), joinDrafts(present, moved));
      store.set(nameOf(from), undefined);
    },
  };
}
