import { lookUp } from '@dialplane/i18n';
import { DialplaneError } from '@dialplane/sdk/resources';
import { texts } from '../texts/ui.ts';

/**
 * Returns the sentence of an error in the language of the console. If its code has no sentence there, returns the API's
 * sentence.
 */
export function refusalOf(error: unknown): string {
  if (!DialplaneError.is(error)) return error instanceof Error ? error.message : String(error);
  return lookUp(texts.refusals, error.code) ?? error.body?.message ?? error.message;
}
