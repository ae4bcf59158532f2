import { useSyncExternalStore } from 'react';

/** For people who do not see a change of the page: a navigation moves the focus, and a live region names the page. */

let isArriving = false;
let arrivedAt = '';
const listeners = new Set<() => void>();

/** Called when the tab leaves a page for another one. */
export function expectPage(): void {
  isArriving = true;
}

/** A page that shows its title calls this. Does nothing unless the tab has just opened the page. */
export function arriveAt(title: string): void {
  if (!isArriving) return;
  isArriving = false;
  arrivedAt = title;
  for (const listener of listeners) listener();
  focusHeading();
}

/** Returns the title of the page that the last navigation opened; an empty text before the first navigation. */
export function useArrivedAt(): string {
  return useSyncExternalStore(subscribe, () => arrivedAt);
}

/**
 * Returns the attributes of a field that gets the focus when it is shown. If the person uses a screen reader, or still
 * holds a key down, the library moves the focus to the field only after the page is shown. It does not if the focus has
 * moved by then.
 */
export function asksForFocus(asks: boolean | undefined): { 'data-asks-focus'?: true } {
  return asks ? { 'data-asks-focus': true } : {};
}

/**
 * Moves the focus to the heading. Leaves it unchanged if a field of the page requests it, or if it is at a field or
 * link of the page or in a window above it.
 */
function focusHeading(): void {
  const { activeElement } = document;
  const isBusy = activeElement?.closest('main, [role=dialog], [role=alertdialog]') != null;
  const main = document.getElementById('main');
  const heading = main?.querySelector('h1');
  if (isBusy || heading == null || main?.querySelector('[data-asks-focus]') != null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
