import type { Context } from '../../../context.ts';
import { signAudioUrl } from '../../../http/audio/signed-links.ts';
import type { InLedger } from '../calls/queries.ts';

export type LinkSigner = Pick<Context, 'cipher' | 'clock' | 'settings'>;
type Listened = 'recordings' | 'voicemails';

/** Where the audio of a resource is read with a key: what events tell of it, which are kept longer than a link lasts. */
export function audioPath(kind: Listened, id: string): string {
  return `/v1/${kind}/${id}/audio`;
}

/** The resource with a link that plays its audio for an hour. */
export function withAudioLink<Row extends { id: string }>(
  context: LinkSigner,
  { ledgerId }: InLedger,
  kind: Listened,
  row: Row,
): Row & { audio_url: string } {
  return { ...row, audio_url: signAudioUrl(context, { ledgerId, path: audioPath(kind, row.id) }) };
}
