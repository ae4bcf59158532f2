import { useSession } from '../../app/session.ts';

/** Returns the name by which the console's user has and reads conversations; null for a sign-in that is nobody's. */
export function useUserName(): string | null {
  return useSession().user?.email ?? null;
}
