import type { Context } from '../../../context.ts';
import { signAudioUrl } from '../../../http/edge/signed-links.ts';
import type { Message } from '../messages/schema.ts';

const OWN_PATH = '/v1/';

/** Returns the path of a file of a message. It needs a key; events carry it, because they outlive a signed link. */
export function mediaPath(messageId: string, position: number): string {
  return `${OWN_PATH}messages/${messageId}/media/${position}`;
}

/** Returns the message with links that open its kept files for an hour. Public addresses stay as they are. */
export function withMediaLinks<Row extends Pick<Message, 'media'>>(
  context: Pick<Context, 'cipher' | 'clock' | 'settings'>,
  { ledgerId }: { readonly ledgerId: number },
  row: Row,
): Row {
  if (!row.media.some(({ url }) => url.startsWith(OWN_PATH))) return row;
  const media = row.media.map(({ url, ...rest }) => {
    return { url: url.startsWith(OWN_PATH) ? signAudioUrl(context, { ledgerId, path: url }) : url, ...rest };
  });
  return { ...row, media };
}
