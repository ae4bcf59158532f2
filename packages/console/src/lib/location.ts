/** The address of the console with its path prefix, ending with a slash, such as `https://phone.example/x/console/`. */
export const CONSOLE_URL = new URL(document.baseURI);

/** The path prefix of the installation, without a slash at its end; empty in most installations. */
export const PREFIX = CONSOLE_URL.pathname.replace(/\/console\/$/, '');
