import { translatePreview } from '@dialplane/i18n';
import { texts } from '../texts/lib.ts';

/** Returns the preview of a conversation in the language of the console. */
export const previewText = (preview: string): string => translatePreview(preview, texts.previews);
