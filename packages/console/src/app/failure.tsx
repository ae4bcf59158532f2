import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Page } from '../ui/page.tsx';

/** Shown in place of a page that failed. */
export function Failure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page failed">
      <ErrorNote error={error} />
      <p>
        <Button onPress={reset}>Try again</Button>
      </p>
    </Page>
  );
}

/** Shown for an address without a page. */
export function Missing() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address">
        Choose one in the navigation, or press <kbd>Ctrl</kbd> <kbd>K</kbd> and type what you look for.
      </EmptyState>
    </Page>
  );
}

export function Loading() {
  return (
    <p role="status" className="loading">
      Loading…
    </p>
  );
}
