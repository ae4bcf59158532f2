/** The previews of conversations that the server writes in English, in the languages of the console and the embeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormats, type Formats, type PreviewTexts, translatePreview } from '../../packages/i18n/src/index.ts';
import { previewOf } from '../../src/domain/messaging/messages/draft.ts';
import { CALL_PREVIEW, MISSED_CALL_PREVIEW, voicemailPreview } from '../../src/domain/voice/conversation-previews.ts';

type Group = { readonly previews: PreviewTexts };
type Module = Readonly<Record<string, (formats: Formats) => Group & { readonly list: Group }>>;

/** Returns the texts of previews in a language, of the console and of the embeds. */
async function textsOf(language: string): Promise<PreviewTexts[]> {
  const read = async (file: string) => {
    const module = (await import(new URL(`../../packages/${file}`, import.meta.url).href)) as Module;
    return module[language]?.(createFormats(language)) ?? assert.fail(`${file} has no table`);
  };
  const inConsole = await read(`console/src/texts/lib.${language}.ts`);
  const inEmbeds = await read(`embeds/src/texts/${language}.ts`);
  return [inConsole.previews, inEmbeds.list.previews];
}

const WRITTEN = [
  [CALL_PREVIEW, 'call'],
  [MISSED_CALL_PREVIEW, 'missed_call'],
  [voicemailPreview(72), 'voicemail'],
  [previewOf('', 1), 'message'],
  [previewOf('', 2), 'message'],
] as const;
const SPANISH = ['Llamada', 'Llamada perdida', 'Mensaje de voz, 1:12', '[archivo]', '[2 archivos]'];

for (const [language, expected] of [
  ['es', SPANISH],
  ['en', WRITTEN.map(([preview]) => preview)],
] as const) {
  test(`the previews that the server writes have the language ${language}, and what people wrote stays`, async () => {
    for (const texts of await textsOf(language)) {
      const written = WRITTEN.map(([preview, kind]) => translatePreview(preview, kind, texts));
      assert.deepEqual(written, expected);
      const people = ['', 'Call', 'Missed call', 'Voicemail, 1:12', 'Voicemail, please', 'my [media]'];
      const shown = people.map((preview) => translatePreview(preview, 'message', texts));
      assert.deepEqual(shown, people);
    }
  });
}
