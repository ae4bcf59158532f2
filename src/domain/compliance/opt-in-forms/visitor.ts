/** Returns true if an Accept header names text/html itself; programs that accept anything send a range with a star. */
export function namesHtml(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(
      ([type, ...parameters]) =>
        type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
    );
}
