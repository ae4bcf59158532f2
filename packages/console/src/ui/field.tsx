import { ChevronDown } from 'lucide-react';
import { type HTMLInputTypeAttribute, type ReactNode, useContext } from 'react';
import { Button } from 'react-aria-components/Button';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classes } from '../lib/classes.ts';
import { asksForFocus } from './arrival.ts';
import css from './field.module.css';
import { FieldErrorsContext, useFieldError } from './field-errors.ts';

type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'children' | 'type'> & {
  label: string;
  /** The description of the field's value. */
  hint?: ReactNode;
  placeholder?: string;
  /** The number of lines of a long text; absent for a field of one line. */
  rows?: number;
  type?: HTMLInputTypeAttribute;
  /** True to hide the label. A screen reader still reads it. */
  isLabelHidden?: boolean;
};

/** A text field. Its `name` is the field of the API, so that it shows the API's errors about that field. */
export function TextField({ label, hint, placeholder, rows, type, isLabelHidden, ...props }: TextFieldProps) {
  const { error, change } = useFieldError(props.name);
  return (
    <AriaTextField
      {...props}
      {...asksForFocus(props.autoFocus)}
      {...(type !== undefined && { type: type as 'text' })}
      isInvalid={error !== undefined || props.isInvalid === true}
      onChange={(text) => {
        change();
        props.onChange?.(text);
      }}
      className={css.field ?? ''}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : classes(css.label)}>{label}</Label>
      {rows === undefined ? (
        <Input dir="auto" className={css.input ?? ''} placeholder={placeholder ?? ''} />
      ) : (
        <TextArea dir="auto" className={css.input ?? ''} rows={rows} placeholder={placeholder ?? ''} />
      )}
      <Below hint={hint} error={error} />
    </AriaTextField>
  );
}

function Below({ hint, error }: { hint: ReactNode; error: string | undefined }) {
  return (
    <div className={css.below}>
      {hint !== undefined && (
        <Text slot="description" className={css.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={css.error ?? ''}>{error}</FieldError>
    </div>
  );
}

export type Option = { readonly id: string; readonly text: string };

type SelectProps = {
  label: string;
  options: readonly Option[];
  name?: string;
  value?: string | null;
  defaultValue?: string;
  onChange?: (id: string) => void;
  hint?: ReactNode;
  placeholder?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  isLabelHidden?: boolean;
};

/** A choice from a few options. For more than 50, use a field with a search. */
export function Select({ label, options, value, defaultValue, onChange, hint, isLabelHidden, ...props }: SelectProps) {
  const { error, change } = useFieldError(props.name);
  return (
    <AriaSelect
      {...props}
      {...(value !== undefined && { selectedKey: value })}
      {...(defaultValue !== undefined && { defaultSelectedKey: defaultValue })}
      isInvalid={error !== undefined}
      onSelectionChange={(key) => {
        change();
        onChange?.(String(key));
      }}
      className={css.field ?? ''}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : classes(css.label)}>{label}</Label>
      <Button className={classes(css.input, css.select)}>
        <SelectValue />
        <ChevronDown aria-hidden />
      </Button>
      <Below hint={hint} error={error} />
      <Popover className={css.popover ?? ''}>
        <ListBox items={options} className={css.list ?? ''}>
          {({ id, text }) => (
            <ListBoxItem id={id} textValue={text} className={css.option ?? ''}>
              <span dir="auto">{text}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

type ToggleProps = {
  children: ReactNode;
  name?: string;
  value?: string;
  isSelected?: boolean;
  defaultSelected?: boolean;
  isDisabled?: boolean;
  onChange?: (isSelected: boolean) => void;
};

export function Checkbox({ children, ...props }: ToggleProps) {
  const { touch } = useContext(FieldErrorsContext);
  return (
    <AriaCheckbox
      {...props}
      onChange={(isSelected) => {
        touch();
        props.onChange?.(isSelected);
      }}
      className={css.checkbox ?? ''}
    >
      <span className={css.box} aria-hidden />
      {children}
    </AriaCheckbox>
  );
}

/** A switch that takes effect immediately, without a button that saves. */
export function Switch({ children, ...props }: ToggleProps) {
  return (
    <AriaSwitch {...props} className={css.switch ?? ''}>
      <span className={css.track} aria-hidden />
      {children}
    </AriaSwitch>
  );
}
