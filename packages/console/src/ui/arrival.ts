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

/** Moves the focus to the heading, unless the person is at a field or link of the page or in a window above it. */
function focusHeading(): void {
  const { activeElement } = document;
  const isBusy = activeElement?.closest('main, [role=dialog], [role=alertdialog]') != null;
  const heading = document.getElementById('main')?.querySelector('h1');
  if (isBusy || heading == null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
