import { ChevronDown } from 'lucide-react';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, ComboBoxStateContext } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import type { List } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import css from './field.module.css';
import type { Option } from './field.tsx';
import { useFieldError } from './field-errors.ts';
import { useReadOn } from './read-on.ts';

export type PickFieldProps = {
  label: string;
  /** The id of the chosen one; null while none is. */
  value?: string | null;
  defaultValue?: string;
  onChange?: (id: string | null) => void;
  /** The field of the API, which gets the id. */
  name?: string;
  hint?: ReactNode;
  placeholder?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  isLabelHidden?: boolean;
  autoFocus?: boolean;
};

type Props<T> = PickFieldProps & {
  list: List<T>;
  optionOf: (row: T) => Option;
  /** One that may be beyond the rows that were read, such as the chosen one. */
  extra?: Option | undefined;
  onType?: (text: string) => void;
};

/** One of many: a list that is searched by typing. Its rows are read when it is opened. */
export function PickField<T>({ list, optionOf, extra, onType, label, hint, isLabelHidden, ...props }: Props<T>) {
  const { value, defaultValue, onChange, placeholder, ...rest } = props;
  const { error, drop } = useFieldError(props.name);
  const [isOpened, setOpened] = useState(false);
  useReadOn(list, isOpened);
  const listed = list.rows.map(optionOf);
  const isExtra = extra !== undefined && !listed.some(({ id }) => id === extra.id);
  return (
    <ComboBox
      {...rest}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(onType !== undefined && { onInputChange: onType })}
      isInvalid={error !== undefined}
      onChange={(key) => {
        drop();
        onChange?.(key === null ? null : String(key));
      }}
      defaultItems={isExtra ? [extra, ...listed] : listed}
      menuTrigger="focus"
      onOpenChange={(isOpen) => isOpen && setOpened(true)}
      className={css.field ?? ''}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : classes(css.label)}>{label}</Label>
      <div className={css.pick}>
        <SearchInput placeholder={placeholder ?? 'Type to search'} rows={listed.length} />
        <Button className={css.arrow ?? ''}>
          <ChevronDown aria-hidden />
        </Button>
      </div>
      {hint !== undefined && (
        <Text slot="description" className={css.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={css.error ?? ''}>{error}</FieldError>
      <Popover className={css.popover ?? ''}>
        <ListBox<Option> className={css.list ?? ''}>
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className={css.option ?? ''}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/**
 * Where one types. The options open when the field gets the focus. The library opens none that are read later than
 * that, and none at a click on a field that has the focus already, such as the first one of a window. A click is looked
 * at when its focus is known: at the click itself it is not yet.
 */
function SearchInput({ placeholder, rows }: { placeholder: string; rows: number }) {
  const state = useContext(ComboBoxStateContext);
  const [clicks, setClicks] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first rows and clicks open it
  useEffect(() => {
    if (rows > 0 && state?.isFocused && !state.isOpen) state.open(null, 'focus');
  }, [rows > 0, clicks]);
  return (
    <Input className={css.input ?? ''} placeholder={placeholder} onClick={() => setClicks((before) => before + 1)} />
  );
}
