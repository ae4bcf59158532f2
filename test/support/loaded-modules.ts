/**
 * If a program loads this file with `--import`, the program writes the address of each module that it loads to standard
 * error.
 */
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    process.stderr.write(`${url}\n`);
    return next(url, context);
  },
});
