/** Listeners by type. */
export class Emitter<Events extends Record<string, unknown>> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Adds a listener, and returns a function that removes it. */
  on<T extends keyof Events>(type: T, listener: (value: Events[T]) => void): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  protected emit<T extends keyof Events>(type: T, value: Events[T]): void {
    for (const listener of this.#listeners.get(type) ?? []) {
      try {
        (listener as (value: Events[T]) => void)(value);
      } catch (error) {
        // The error is reported as uncaught, and the other listeners run, like in a browser.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
