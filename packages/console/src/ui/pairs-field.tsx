import { Plus, X } from 'lucide-react';
import { useContext } from 'react';
import { texts } from '../texts/parts.ts';
import { Button, IconButton } from './button.tsx';
import css from './field.module.css';
import { TextField } from './field.tsx';
import { FieldErrorsContext } from './field-errors.ts';

const t = texts.pairsField;

/** A name and its value. */
export type Pair = readonly [name: string, value: string];

type PairsFieldProps = {
  label: string;
  pairs: readonly Pair[];
  onChange: (pairs: readonly Pair[]) => void;
  max: number;
};

/** Values with names that the person chooses, such as metadata. */
export function PairsField({ label, pairs, onChange, max }: PairsFieldProps) {
  const { touch } = useContext(FieldErrorsContext);
  return (
    <fieldset className={css.pairs}>
      <legend className={css.label}>{label}</legend>
      {pairs.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal while they are written
        <div key={index} className={css.pair}>
          <TextField
            label={t.nameOf(index + 1)}
            isLabelHidden
            placeholder={t.name}
            value={name}
            onChange={(changed) => onChange(pairs.with(index, [changed, value]))}
          />
          <TextField
            label={t.valueOf(index + 1)}
            isLabelHidden
            placeholder={t.value}
            value={value}
            onChange={(changed) => onChange(pairs.with(index, [name, changed]))}
          />
          <IconButton
            label={t.remove(name || t.unnamed(index + 1))}
            onPress={() => {
              touch();
              onChange(pairs.toSpliced(index, 1));
            }}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {pairs.length < max && (
        <div>
          <Button small onPress={() => onChange([...pairs, ['', '']])}>
            <Plus aria-hidden /> {t.addAValue}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
