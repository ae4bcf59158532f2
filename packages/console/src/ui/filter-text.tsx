import { useState } from 'react';
import { TextField } from './field.tsx';

type FilterTextProps = {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Returns the search for a typed text, such as a number in E.164. */
  parse?: (typed: string) => string;
};

const trimmed = (typed: string) => typed.trim();

/** A text that narrows a list after the person has finished typing, because the API refuses half a number. */
export function FilterText({ label, placeholder, value = '', onChange, parse = trimmed }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const apply = () => {
    const text = parse(typed);
    setTyped(text);
    if (text !== value) onChange(text === '' ? undefined : text);
  };
  return (
    <TextField
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={typed}
      onChange={setTyped}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
