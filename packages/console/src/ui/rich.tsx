import { Fragment, type ReactNode } from 'react';

/** An element in a sentence: a plain element, or a function that puts an element around words of the sentence. */
export type RichPart = ReactNode | ((words: string) => ReactNode);

const PLACES = /<(\d)(?:\/>|>(.*?)<\/\1>)/g;

/**
 * Returns a sentence of a table with elements in it. `<0/>` is replaced by the first part, `<1>words</1>` by the second
 * part around its words. So each language can have its own word order.
 */
export function rich(sentence: string, ...parts: readonly RichPart[]): ReactNode {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const place of sentence.matchAll(PLACES)) {
    const part = parts[Number(place[1])];
    nodes.push(sentence.slice(end, place.index), typeof part === 'function' ? part(place[2] ?? '') : part);
    end = place.index + place[0].length;
  }
  nodes.push(sentence.slice(end));
  // The order of the nodes never changes.
  return nodes.map((node, position) => <Fragment key={String(position)}>{node}</Fragment>);
}
