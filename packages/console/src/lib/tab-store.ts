/**
 * The data that a tab keeps over a reload, in its sessionStorage, until the person signs out. A sign-out in one tab
 * empties all tabs of the browser.
 */

const STORED_PREFIX = 'dialplane.console.tab.';
const SIGNED_OUT = 'signed-out';
const channel = new BroadcastChannel('dialplane.console');
const stores = new Set<{ forget(): void }>();

channel.addEventListener('message', ({ data }) => {
  if (data === SIGNED_OUT) forgetHere();
});

/** Removes the stored data of all tabs of this browser. */
export function forgetTabs(): void {
  forgetHere();
  channel.postMessage(SIGNED_OUT);
}

/** This tab may not have loaded the page that uses a store, so its stored text is removed by its name. */
function forgetHere(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(STORED_PREFIX)) sessionStorage.removeItem(key);
  for (const store of stores) store.forget();
}

/** Calls `act` when a person signs out in any tab. Returns a function that ends it. */
export function whenForgotten(act: () => void): () => void {
  const store = { forget: act };
  stores.add(store);
  return () => stores.delete(store);
}

export type TabStore<T> = {
  all(): ReadonlyMap<string, T>;
  /** Stores a value as the newest one; removes it if it is undefined. */
  set(key: string, value: T | undefined): void;
  subscribe(listener: () => void): () => void;
};

type TabStoreOptions<T> = {
  name: string;
  /** Returns true if a stored value has the form of this version. */
  isValue: (value: unknown) => value is T;
  /** The most values; beyond it the oldest are removed. */
  valuesMax: number;
  /** The most characters of the stored text. The newest values that fit are stored; the others are lost at a reload. */
  charactersMax: number;
};

/** Returns the values that the tab keeps under `name`. */
export function openTabStore<T>(options: TabStoreOptions<T>): TabStore<T> {
  const listeners = new Set<() => void>();
  let kept = readStored(options);
  const change = (next: ReadonlyMap<string, T>) => {
    kept = next;
    for (const listener of listeners) listener();
  };
  stores.add({ forget: () => change(new Map()) });
  return {
    all: () => kept,
    set: (key, value) => {
      const next = new Map(kept);
      next.delete(key);
      if (value !== undefined) next.set(key, value);
      const newest = new Map([...next].slice(-options.valuesMax));
      writeStored(options, newest);
      change(newest);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readStored<T>({ name, isValue, valuesMax }: TabStoreOptions<T>): ReadonlyMap<string, T> {
  const text = sessionStorage.getItem(STORED_PREFIX + name);
  const entries: unknown = text === null ? [] : JSON.parse(text);
  if (!Array.isArray(entries)) return new Map();
  const isEntry = (entry: unknown): entry is [string, T] =>
    Array.isArray(entry) && typeof entry[0] === 'string' && isValue(entry[1]);
  return new Map(entries.filter(isEntry).slice(-valuesMax));
}

function writeStored<T>({ name, charactersMax }: TabStoreOptions<T>, values: ReadonlyMap<string, T>): void {
  const stored: string[] = [];
  let length = 2;
  for (const entry of [...values].reverse()) {
    const text = JSON.stringify(entry);
    if (length + text.length + 1 > charactersMax) continue;
    length += text.length + 1;
    stored.unshift(text);
  }
  sessionStorage.setItem(STORED_PREFIX + name, `[${stored.join(',')}]`);
}
