import { DialplaneError } from '@dialplane/sdk/resources';
import { PREFIX } from '../lib/location.ts';
import { HEADERS } from './client.ts';
import type { Speak } from './generated/operator-types.ts';

/** Returns the text as callers hear it (WAV). Throws the error of the API. */
export async function speak(wanted: Speak): Promise<Blob> {
  const reply = await fetch(`${PREFIX}/console/api/speech`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (reply.ok) return await reply.blob();
  const { error } = (await reply.json()) as { error: { code: string; message: string } };
  throw new DialplaneError(error.code, error.message);
}
