import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Returns the position of a list on the page, in px. The list needs it to compute the rows in the window. Parts above
 * the list, such as filters, may grow and shrink.
 */
export function useListTop(list: RefObject<HTMLElement | null>, isShown: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (!isShown) return;
    const measure = () => {
      if (list.current !== null) setTop(list.current.getBoundingClientRect().top + scrollY);
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(document.body);
    return () => watcher.disconnect();
  }, [list, isShown]);
  return top;
}
