export class SoftphoneError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {string | null} [callId]
   */
  constructor(code, message, callId = null) {
    super(message);
    this.name = 'SoftphoneError';
    /** @readonly */
    this.code = code;
    /** @readonly */
    this.callId = callId;
  }
}
