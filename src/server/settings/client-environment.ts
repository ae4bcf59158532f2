import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from './environment-reader.ts';

/**
 * Settings of commands that ask a server over its API, from the environment. Empty counts as absent. They are apart
 * from the settings of the server, so that these commands start without loading those settings.
 */
export function readClientEnvironment(env: Environment = process.env) {
  return {
    url: env['DIALPLANE_URL'] || undefined,
    key: env['DIALPLANE_KEY'] || undefined,
    profile: env['DIALPLANE_PROFILE'] || undefined,
    dataFolder: resolve(env['DIALPLANE_DATA'] || '.dialplane'),
    /** False on a machine that is reached by a text terminal only. */
    hasDesktop: process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']),
    /** The user's own settings of the program. */
    userFolder: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'dialplane'),
  };
}
