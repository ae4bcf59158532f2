/** Failures that a request of a web client meets beside those of the API. */
export class WebClientError extends Error {
  override name = 'WebClientError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
