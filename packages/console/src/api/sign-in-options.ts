import { useQuery } from '@tanstack/react-query';
import { readSignInOptions } from './operator.ts';

/** Reads how people sign in here, and how an operator calls the program. Both last as long as the server. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['sign-in-options'], queryFn: readSignInOptions, staleTime: Number.POSITIVE_INFINITY })
    .data;
}

/** Returns what an operator types before the name of a command. */
export function useProgram(): string {
  return useSignInOptions()?.program ?? 'dialplane';
}
