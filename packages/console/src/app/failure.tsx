import type { ErrorComponentProps } from '@tanstack/react-router';
import { texts } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Page } from '../ui/page.tsx';
import { rich } from '../ui/rich.tsx';

const t = texts.failure;

/** Shown in place of a page that failed. */
export function Failure({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t.thisPageFailed}>
      <ErrorNote error={error} />
      <p>
        <Button onPress={reset}>{t.tryAgain}</Button>
      </p>
    </Page>
  );
}

/** Shown for an address without a page. */
export function Missing() {
  return (
    <Page title={t.pageNotFound}>
      <EmptyState title={t.thereNoPage}>{rich(t.chooseOneNavigation, <kbd>Ctrl</kbd>, <kbd>K</kbd>)}</EmptyState>
    </Page>
  );
}

export function Loading() {
  return (
    <p role="status" className="loading">
      {t.loading}
    </p>
  );
}
