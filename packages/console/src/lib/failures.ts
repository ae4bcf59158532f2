/** Why texts fail, in words for people. */
import { texts } from '../texts/lib.ts';

type Failure = { readonly why: string; readonly next: string };

/** Returns why a text failed, and what to do. For an unknown code, returns where to find more. */
export function failureOf(code: string): Failure {
  const { failures, otherFailure } = texts;
  const known: Readonly<Record<string, Failure>> = failures;
  if (Object.hasOwn(known, code)) return known[code] as Failure;
  return { why: otherFailure.why(code), next: otherFailure.next };
}
