/** The groups of the navigation that the person has folded. This browser keeps them. */
import { openBrowserText } from '../lib/browser-text.ts';

const folded = openBrowserText('folded');

const namesIn = (text: string) => new Set(text.split(' ').filter((name) => name !== ''));

/** Returns whether a group is folded, and a function that folds or unfolds it. */
export function useFolded(group: string): [isFolded: boolean, toggle: () => void] {
  const isFolded = namesIn(folded.use()).has(group);
  const toggle = () => {
    const names = namesIn(folded.read());
    if (!names.delete(group)) names.add(group);
    folded.write([...names].join(' '));
  };
  return [isFolded, toggle];
}
