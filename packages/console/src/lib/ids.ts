/** True for an id of the API, such as the id of a text. */
export const isId = (text: string): boolean => /^[a-z]+_[0-9a-z]{26}$/.test(text);
