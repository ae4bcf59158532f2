/** @typedef {import('../index.d.ts').SoftphoneCall} SoftphoneCall */

/** Calls that were requested and have no answer yet, by `ref`. */
export class PlacedCalls {
  /** @type {Map<string, PromiseWithResolvers<SoftphoneCall>>} */
  #byRef = new Map();
  #count = 0;
  /** Makes the `ref`s of this object unique: a `ref` that was used before would mean the earlier call. */
  #prefix = [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(36)).join('');

  /** Returns a new `ref`. */
  nextRef() {
    return `${this.#prefix}-${++this.#count}`;
  }

  /**
   * Requests a call, unless one with the `ref` has no answer yet. Resolves with the call.
   * @param {string} ref
   * @param {() => void} request
   * @returns {Promise<SoftphoneCall>}
   */
  place(ref, request) {
    const same = this.#byRef.get(ref);
    if (same !== undefined) return same.promise;
    const placing = Promise.withResolvers();
    this.#byRef.set(ref, placing);
    request();
    return placing.promise;
  }

  /**
   * Takes the request that is answered.
   * @param {string | undefined} ref
   */
  take(ref = '') {
    const placing = this.#byRef.get(ref);
    this.#byRef.delete(ref);
    return placing;
  }

  /** @param {() => Error} errorOf */
  refuseAll(errorOf) {
    for (const placing of this.#byRef.values()) placing.reject(errorOf());
    this.#byRef.clear();
  }
}
