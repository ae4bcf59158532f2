import { useQuery } from '@tanstack/react-query';
import { readSignInOptions } from './operator.ts';

/** Reads how people sign in here, and the operator's name for the program. Neither changes while the server runs. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['sign-in-options'], queryFn: readSignInOptions, staleTime: Number.POSITIVE_INFINITY })
    .data;
}

/** Returns what an operator types before the name of a command. */
export function useProgram(): string {
  return useSignInOptions()?.program ?? 'dialplane';
}
