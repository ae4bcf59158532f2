import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Returns where a list begins on the page, in px: rows are drawn by how far the window is scrolled. The parts above the
 * list may grow and shrink, such as filters.
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
