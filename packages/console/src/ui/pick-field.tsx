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
import { texts } from '../texts/parts.ts';
import { asksForFocus } from './arrival.ts';
import css from './field.module.css';
import type { Option } from './field.tsx';
import { useFieldError } from './field-errors.ts';

const t = texts.pickField;

export type PickFieldProps = {
  label: string;
  /** The id of the chosen option; null if none is chosen. */
  value?: string | null;
  defaultValue?: string;
  onChange?: (id: string | null) => void;
  /** The field of the API. It gets the id. */
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
  /** An option that the read rows may lack, such as the chosen option. */
  extra?: Option | undefined;
  onType?: (text: string) => void;
  /** True if the rows already match the typed text, because the server has searched. */
  isFiltered?: boolean;
  /** The message if nothing is found. */
  searched?: string;
};

/** A choice from many rows: a list with a search field. The rows are read when it is opened. */
export function PickField<T>({ list, optionOf, extra, onType, label, hint, isLabelHidden, ...props }: Props<T>) {
  const { value, defaultValue, onChange, placeholder, isFiltered = false, searched, ...rest } = props;
  const { error, change } = useFieldError(props.name);
  const [isOpened, setOpened] = useState(false);
  useReadOn(list, isOpened && !isFiltered);
  const listed = list.rows.map(optionOf);
  const isExtra = extra !== undefined && !listed.some(({ id }) => id === extra.id);
  return (
    <ComboBox
      {...rest}
      {...asksForFocus(rest.autoFocus)}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(onType !== undefined && { onInputChange: onType })}
      isInvalid={error !== undefined}
      onChange={(key) => {
        change();
        onChange?.(key === null ? null : String(key));
      }}
      defaultItems={isExtra ? [extra, ...listed] : listed}
      {...(isFiltered && { defaultFilter: () => true, allowsEmptyCollection: true })}
      menuTrigger="focus"
      onOpenChange={(isOpen) => isOpen && setOpened(true)}
      className={css.field ?? ''}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : classes(css.label)}>{label}</Label>
      <div className={css.pick}>
        <SearchInput placeholder={placeholder ?? t.typeToSearch} />
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
        <ListBox<Option>
          className={css.list ?? ''}
          renderEmptyState={() => <p className={css.hint}>{list.isLoading ? t.searching : searched}</p>}
        >
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className={css.option ?? ''}>
              <span dir="auto">{text}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/**
 * The field for typing. A focus or a click opens the options. The library opens them only if there are options at the
 * moment of the focus. Here, the list also opens later, when options arrive while the field has the focus. A click on a
 * field that already has the focus, such as the first field of a window, opens it too.
 */
function SearchInput({ placeholder }: { placeholder: string }) {
  const state = useContext(ComboBoxStateContext);
  const [isAsked, setAsked] = useState(false);
  const isFocused = state?.isFocused ?? false;
  useEffect(() => setAsked(isFocused), [isFocused]);
  // A typed text narrows the options; the text of the chosen option does not.
  const isTyped = state !== null && state.inputValue !== (state.selectedItem?.textValue ?? '');
  // Runs at each render, because this component does not see when the options change. Without options, opening does
  // nothing.
  useEffect(() => {
    if (!isAsked || state === null) return;
    if (state.isOpen) setAsked(false);
    else if (isFocused) state.open(null, isTyped ? 'input' : 'focus');
  });
  return <Input className={css.input ?? ''} placeholder={placeholder} onClick={() => setAsked(true)} />;
}

/** The number of rows that are searched. A row beyond them is found by its id. */
const ROWS_MAX = 500;

/** While a person looks at a list with a search field, reads its later pages. */
function useReadOn({ rows, hasMore, isLoadingMore, loadMore }: List<unknown>, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted && hasMore && !isLoadingMore && rows.length < ROWS_MAX) loadMore();
  }, [isWanted, hasMore, isLoadingMore, rows.length, loadMore]);
}
