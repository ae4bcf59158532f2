/** The language that a page states for a place in it. */

/** Returns the `lang` of the nearest element that has one, from this element outwards through shadow trees. */
export function statedLanguage(element: Element): string | undefined {
  let place: Element | undefined = element;
  while (place !== undefined) {
    const nearest: Element | null = place.closest('[lang]');
    // An empty `lang` says that the language is not known.
    if (nearest !== null) return nearest.getAttribute('lang') || undefined;
    const root: Node = place.getRootNode();
    place = root instanceof ShadowRoot ? root.host : undefined;
  }
  return undefined;
}

/**
 * Calls `onChange` when a `lang` around the element changes, or the languages of the browser change. Returns a function
 * that ends this.
 */
export function watchLanguage(element: Element, onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  for (let root = element.getRootNode(); ; root = root.host.getRootNode()) {
    observer.observe(root, { subtree: true, attributeFilter: ['lang'] });
    if (!(root instanceof ShadowRoot)) break;
  }
  addEventListener('languagechange', onChange);
  return () => {
    observer.disconnect();
    removeEventListener('languagechange', onChange);
  };
}
