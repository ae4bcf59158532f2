import { useSyncExternalStore } from 'react';

/** The groups of the navigation that the person has folded. This browser keeps them. */

const KEY = 'dialplane.console.folded';
const listeners = new Set<() => void>();

const stored = () => localStorage.getItem(KEY) ?? '';
const namesIn = (text: string) => new Set(text.split(' ').filter((name) => name !== ''));

/** Returns whether a group is folded, and a function that folds or unfolds it. */
export function useFolded(group: string): [isFolded: boolean, toggle: () => void] {
  const isFolded = namesIn(useSyncExternalStore(subscribe, stored)).has(group);
  const toggle = () => {
    const names = namesIn(stored());
    if (!names.delete(group)) names.add(group);
    localStorage.setItem(KEY, [...names].join(' '));
    for (const listener of listeners) listener();
  };
  return [isFolded, toggle];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The event comes from another tab of this browser.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
