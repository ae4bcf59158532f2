import { useSyncExternalStore } from 'react';

/** For people who do not see a page change: a navigation moves the focus, and a live region names the page. */

let isArriving = false;
let arrivedAt = '';
const listeners = new Set<() => void>();

/** Called when the tab leaves a page for another one. */
export function expectPage(): void {
  isArriving = true;
}

/** Called by a page that shows its title. Does nothing unless the tab has just come to the page. */
export function arriveAt(title: string): void {
  if (!isArriving) return;
  isArriving = false;
  arrivedAt = title;
  for (const listener of listeners) listener();
  focusHeading();
}

/** Returns the title of the page to which the last navigation led; an empty text before the first one. */
export function useArrivedAt(): string {
  return useSyncExternalStore(subscribe, () => arrivedAt);
}

/**
 * Attributes of a field that gets the focus when it is shown. For a person with a screen reader, or whose key is still
 * down, the library moves the focus to the field only after the page is shown, and not if the focus has moved by then.
 */
export function asksForFocus(asks: boolean | undefined): { 'data-asks-focus'?: true } {
  return asks ? { 'data-asks-focus': true } : {};
}

/**
 * Moves the focus to the heading, unless a field of the page asks for the focus, or the person is at a field or link of
 * the page or in a window above it.
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
