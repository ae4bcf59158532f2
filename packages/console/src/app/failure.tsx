import type { ErrorComponentProps } from '@tanstack/react-router';
import { texts } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Page } from '../ui/page.tsx';
import { rich } from '../ui/rich.tsx';
import { NotLoaded } from './load-page.ts';

const t = texts.failure;

/** Shown in place of a page that failed. */
export function Failure({ error, reset }: ErrorComponentProps) {
  if (error instanceof NotLoaded) {
    return (
      <Page title={t.pageNotLoaded}>
        <p>{t.serverDidNot}</p>
        <p>
          <Button onPress={() => location.reload()}>{t.loadThePage}</Button>
        </p>
      </Page>
    );
  }
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
