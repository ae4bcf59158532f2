import type { List } from '../api/queries.ts';
import { PickField, type PickFieldProps } from './pick-field.tsx';

const nothing = () => undefined;
const optionOf = (text: string) => ({ id: text, text });

/** Makes a list of texts that the console knows without the server, for a `TextPickField`. */
export const fixedList = (rows: readonly string[]): List<string> => ({
  rows,
  isLoading: false,
  isLoadingMore: false,
  hasMore: false,
  error: null,
  loadMore: nothing,
  reload: nothing,
});

/** A choice from texts. Each text is also its id. A chosen text is offered even if the list lacks it. */
export function TextPickField(props: PickFieldProps & { list: List<string> }) {
  const chosen = props.value ?? props.defaultValue;
  return <PickField {...props} optionOf={optionOf} extra={typeof chosen === 'string' ? optionOf(chosen) : undefined} />;
}
