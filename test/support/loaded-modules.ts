/** Loaded with `--import`, writes the address of every module that a program loads to standard error. */
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    process.stderr.write(`${url}\n`);
    return next(url, context);
  },
});
