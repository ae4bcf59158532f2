import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from './environment-reader.ts';

/**
 * Reads the environment's settings for commands that send requests to a server's API. An empty variable counts as
 * absent. These settings are separate from the server's, so that these commands start without loading the latter.
 */
export function readClientEnvironment(env: Environment = process.env) {
  return {
    url: env['DIALPLANE_URL'] || undefined,
    key: env['DIALPLANE_KEY'] || undefined,
    profile: env['DIALPLANE_PROFILE'] || undefined,
    dataFolder: resolve(env['DIALPLANE_DATA'] || '.dialplane'),
    /** False on a machine that has only a text terminal. */
    hasDesktop: process.platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']),
    /** The folder with the user's settings of this program. */
    userFolder: join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'dialplane'),
  };
}
