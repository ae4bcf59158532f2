import { PREFIX } from '../lib/location.ts';
import { HEADERS } from './client.ts';
import type { Speak } from './generated/operator-types.ts';

/** Returns the text as callers hear it (WAV). Throws an Error with the message of the API. */
export async function speak(wanted: Speak): Promise<Blob> {
  const reply = await fetch(`${PREFIX}/console/api/speech`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  });
  if (reply.ok) return await reply.blob();
  const { error } = (await reply.json()) as { error: { message: string } };
  throw new Error(error.message);
}
