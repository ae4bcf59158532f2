import { useSyncExternalStore } from 'react';
import { useLedger } from '../../app/ledger.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

export type Drafts = { of(place: string): Draft; set(place: string, draft: Draft): void };

type Kept = ReadonlyMap<string, Draft>;

let kept: Kept = new Map();
const listeners = new Set<() => void>();

function keep(name: string, draft: Draft): void {
  const next = new Map(kept);
  if (draft === EMPTY_DRAFT) next.delete(name);
  else next.set(name, draft);
  kept = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps what was written in each conversation while the person looks at others, and at other pages. */
export function useDrafts(): Drafts {
  const { accountId, mode } = useLedger();
  const all = useSyncExternalStore(subscribe, () => kept);
  const nameOf = (place: string) => `${accountId} ${mode} ${place}`;
  return {
    of: (place) => all.get(nameOf(place)) ?? EMPTY_DRAFT,
    set: (place, draft) => keep(nameOf(place), draft),
  };
}
