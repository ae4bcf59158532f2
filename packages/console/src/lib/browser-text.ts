import { useSyncExternalStore } from 'react';

/** A text that all tabs of this browser share, in its localStorage. */
export type BrowserText = {
  /** Returns the stored text; an empty one if none is stored. */
  read(): string;
  write(text: string): void;
  /** Returns the stored text, and renders again after a change in any tab. */
  use(): string;
};

/** Returns the text that the browser stores under `dialplane.console.NAME`. */
export function openBrowserText(name: string): BrowserText {
  const key = `dialplane.console.${name}`;
  const listeners = new Set<() => void>();
  const read = () => localStorage.getItem(key) ?? '';
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    // The event comes from another tab of this browser.
    addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('storage', listener);
    };
  };
  return {
    read,
    write: (text) => {
      localStorage.setItem(key, text);
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, read),
  };
}
