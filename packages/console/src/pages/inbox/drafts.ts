import { useState } from 'react';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

export type Drafts = { of(place: string): Draft; set(place: string, draft: Draft): void };

/** Keeps what was written in each conversation while the person looks at others. */
export function useDrafts(): Drafts {
  const [all, setAll] = useState<Readonly<Record<string, Draft>>>({});
  return {
    of: (place) => all[place] ?? EMPTY_DRAFT,
    set: (place, draft) => setAll((before) => ({ ...before, [place]: draft })),
  };
}
