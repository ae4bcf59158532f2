/** @typedef {import('../index.d.ts').SoftphoneEvents} SoftphoneEvents */

/** Creates the listeners of a softphone's events. */
export function createListeners() {
  /** @type {Map<string, Set<(event: any) => void>>} */
  const byType = new Map();
  return {
    /**
     * @template {keyof SoftphoneEvents} Type
     * @param {Type} type
     * @param {(event: SoftphoneEvents[Type]) => void} listener
     * @returns {() => void}
     */
    on: (type, listener) => {
      const listeners = byType.get(type) ?? new Set();
      byType.set(type, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    /**
     * @template {keyof SoftphoneEvents} Type
     * @param {Type} type
     * @param {SoftphoneEvents[Type]} event
     */
    emit: (type, event) => {
      for (const listener of [...(byType.get(type) ?? [])]) listener(event);
    },
  };
}
