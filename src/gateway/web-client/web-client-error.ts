/** Failures that a request of a seat meets beside those of the API. */
export class SeatError extends Error {
  override name = 'SeatError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
