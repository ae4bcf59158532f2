import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetTabs } from '../lib/tab-store.ts';

/** Returns a function for the time after a sign-out: it opens the sign-in page, and forgets all data and drafts. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    client.clear();
    forgetTabs();
  };
}
