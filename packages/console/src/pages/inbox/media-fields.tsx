import { Plus, X } from 'lucide-react';
import { texts } from '../../texts/inbox.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import css from './composer.module.css';

const t = texts.mediaFields;

const MEDIA_MAX = 10;

/** The addresses of the files that are sent with a text. */
export function MediaFields({
  urls,
  onChange,
}: {
  urls: readonly string[];
  onChange: (urls: readonly string[]) => void;
}) {
  return (
    <div className={css.part}>
      {urls.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: addresses may be equal while they are written
        <div key={index} className={css.media}>
          <TextField
            label={t.addressOfFile(index + 1)}
            isLabelHidden
            type="url"
            placeholder={t.httpsCdnExample}
            value={url}
            onChange={(changed) => onChange(urls.with(index, changed))}
          />
          <IconButton label={t.removeFile(index + 1)} onPress={() => onChange(urls.toSpliced(index, 1))}>
            <X />
          </IconButton>
        </div>
      ))}
      {urls.length < MEDIA_MAX && (
        <Button small onPress={() => onChange([...urls, ''])}>
          <Plus aria-hidden /> {t.addAFile}
        </Button>
      )}
      <p className={css.hint}>{t.publicHttpsAddresses}</p>
    </div>
  );
}
