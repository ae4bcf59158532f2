import { translatePreview } from '@dialplane/i18n';
import type { Conversation } from '@dialplane/sdk/resources';
import { texts } from '../texts/lib.ts';

type Previewed = Pick<Conversation, 'last_message_preview'> & {
  readonly last_activity_kind: Conversation['last_activity_kind'] | null;
};

/** Returns the preview of a conversation in the language of the console. */
export const previewText = ({ last_message_preview, last_activity_kind }: Previewed): string =>
  translatePreview(last_message_preview, last_activity_kind, texts.previews);
