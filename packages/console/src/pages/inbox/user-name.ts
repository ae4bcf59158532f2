import { useSession } from '../../app/session.ts';

/** Returns the name of the console's user in conversations; null if the sign-in belongs to no user. */
export function useUserName(): string | null {
  return useSession().user?.email ?? null;
}
