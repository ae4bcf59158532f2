import type { Context } from '../../../context.ts';
import { signAudioUrl } from '../../../http/edge/signed-links.ts';
import type { InLedger } from '../calls/queries.ts';

type LinkSigner = Pick<Context, 'cipher' | 'clock' | 'settings'>;
type WithAudio = 'recordings' | 'voicemails';

/**
 * Returns the path of a resource's audio. A request for it needs a key. Events contain this path instead of a signed
 * link, because they outlive the link.
 */
export function audioPath(kind: WithAudio, id: string): string {
  return `/v1/${kind}/${id}/audio`;
}

/** Returns the resource with a link that plays its audio for an hour. */
export function withAudioLink<Row extends { id: string }>(
  context: LinkSigner,
  { ledgerId }: InLedger,
  kind: WithAudio,
  row: Row,
): Row & { audio_url: string } {
  return { ...row, audio_url: signAudioUrl(context, { ledgerId, path: audioPath(kind, row.id) }) };
}
