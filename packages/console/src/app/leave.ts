import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetTabs } from '../lib/tab-store.ts';

/** Returns a function that opens the sign-in page after the person has signed out, and forgets all data and drafts. */
export function useLeave(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    client.clear();
    forgetTabs();
  };
}
