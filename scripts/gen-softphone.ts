/** The softphone library in forms that pages and bundlers load without configuration. */
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOTE = '/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */';

/** Bundles the processors of the audio thread into one script. */
export async function softphoneWorklet(): Promise<string> {
  return await bundle({ entryPoints: ['packages/softphone/src/worklet.js'], format: 'iife' });
}

/** Makes the module that holds the script of the audio thread as a text. */
export async function softphoneWorkletModule(): Promise<string> {
  return `${NOTE}\nexport const WORKLET = ${JSON.stringify(await softphoneWorklet())};\n`;
}

/** Bundles the library into one module. */
export async function softphoneBundle(): Promise<string> {
  const contents = await softphoneWorkletModule();
  // The file on disk may be missing or of an earlier version.
  const freshWorklet: Plugin = {
    name: 'fresh worklet',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /generated\/worklet\.js$/ }, ({ path }) => ({ path, namespace: 'fresh' }));
      onLoad({ filter: /.*/, namespace: 'fresh' }, () => ({ contents }));
    },
  };
  return await bundle({
    entryPoints: ['packages/softphone/src/index.js'],
    format: 'esm',
    plugins: [freshWorklet],
  });
}

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    target: 'es2022',
    banner: { js: NOTE },
    write: false,
  });
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error(`nothing was made of ${String(options.entryPoints)}`);
  return file.text;
}
