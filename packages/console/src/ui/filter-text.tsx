import { useEffect, useState } from 'react';
import { useDebounced } from '../lib/debounced.ts';
import { TextField } from './field.tsx';

type FilterTextProps = {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Returns the search for a typed text, such as a number in E.164. */
  parse?: (typed: string) => string;
  /**
   * True for a search that the API accepts, such as a whole number. It is applied while the person types. Any other
   * text is applied when the person presses Enter or leaves the field. Default: none is whole.
   */
  isWhole?: (text: string) => boolean;
};

/** Keys that follow each other faster than this are applied together. */
const PAUSE_MS = 300;

const trimmed = (typed: string) => typed.trim();
const never = () => false;

/** `isWhole` of a filter that accepts any text. */
export const anyText = () => true;

/** A text that narrows a list while the person types. The API refuses half a number, so this waits for the whole one. */
export function FilterText({
  label,
  placeholder,
  value = '',
  onChange,
  parse = trimmed,
  isWhole = never,
}: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  /** What the list was last asked for. Text that was typed since then stays when the list has it. */
  const [asked, setAsked] = useState(value);
  const paused = useDebounced(typed, PAUSE_MS);
  if (shown !== value) {
    setShown(value);
    if (value !== asked) {
      setTyped(value);
      setAsked(value);
    }
  }
  const ask = (text: string) => {
    if (text === asked) return;
    setAsked(text);
    onChange(text === '' ? undefined : text);
  };
  useEffect(() => {
    const text = parse(paused);
    if (paused === typed && (text === '' || isWhole(text))) ask(text);
  });
  const finish = () => {
    const text = parse(typed);
    setTyped(text);
    ask(text);
  };
  return (
    <TextField
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={typed}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => event.key === 'Enter' && finish()}
    />
  );
}
