/**
 * A worker loads this before `node:test`. A hook of `node:test` follows each promise, so that a call of `test` or
 * `after` finds its suite. With the hook an `await` takes 20 times as long, so promises are followed only while a file
 * is loaded. In a test that runs, `closeAfterTests` takes the place of `after`, and an uncaught error fails the file.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const { createHook } = hooks;
const ofPromises: hooks.AsyncHook[] = [];
const others: hooks.AsyncHook[] = [];
let isFollowing = false;

hooks.createHook = (callbacks) => {
  const hook = createHook(callbacks);
  if (callbacks.trackPromises === false) {
    others.push(hook);
    return hook;
  }
  ofPromises.push(hook);
  const held: hooks.AsyncHook = {
    enable: () => {
      if (isFollowing) hook.enable();
      return held;
    },
    disable: () => held,
  };
  return held;
};
syncBuiltinESMExports();

/** Sets whether the hooks of this process follow promises. At first they do not. */
export function followPromises(follows: boolean): void {
  isFollowing = follows;
  // Node stops following promises only when no hook at all is enabled.
  for (const hook of [...ofPromises, ...others]) hook.disable();
  for (const hook of follows ? [...ofPromises, ...others] : others) hook.enable();
}
