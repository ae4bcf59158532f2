import './ui/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { createAppRouter } from './app/router.tsx';
import { applyTheme } from './app/theme.ts';
import { locale } from './lib/language.ts';
import { loadTexts } from './texts/texts.ts';
// With this import, a tab follows sign-outs even if its open page stores nothing.
import './lib/tab-store.ts';

/** Opens the page of the address. The router is made once the texts are loaded, because it opens the page. */
async function start(): Promise<void> {
  applyTheme();
  await loadTexts();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);

  createRoot(document.getElementById('root') as HTMLElement).render(
    <StrictMode>
      <I18nProvider locale={locale.tag}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

void start();
