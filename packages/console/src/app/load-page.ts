/** A part of the console could not be loaded: the server does not answer, or it has a new version without this part. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
}

/**
 * Loads a part of the console. Without this function a failure would make the router reload the whole tab, and the
 * person would read the bundler's error.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new NotLoaded('', { cause });
  }
}
