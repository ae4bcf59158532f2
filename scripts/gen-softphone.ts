/** The softphone library, and the elements that use it, in forms that pages and bundlers load without configuration. */
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NOTE = '/* @dialplane/softphone, Apache-2.0. Made by npm run gen from packages/softphone/src. Edit there. */';
const EMBED_NOTE = '/* @dialplane/embeds, Apache-2.0. Made by npm run gen from packages/embeds/src. Edit there. */';

/** Bundles the processors of the audio thread into one script. */
export async function softphoneWorklet(): Promise<string> {
  return await bundle({ entryPoints: ['packages/softphone/src/worklet.js'], format: 'iife' });
}

/** Makes the module that holds the script of the audio thread as a text. */
export async function softphoneWorkletModule(): Promise<string> {
  return `${NOTE}\nexport const WORKLET = ${JSON.stringify(await softphoneWorklet())};\n`;
}

/** Puts the script of the audio thread into a bundle. The file on disk may be missing or of an earlier version. */
async function freshWorklet(): Promise<Plugin> {
  const contents = await softphoneWorkletModule();
  return {
    name: 'fresh worklet',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /generated\/worklet\.js$/ }, ({ path }) => ({ path, namespace: 'fresh' }));
      onLoad({ filter: /.*/, namespace: 'fresh' }, () => ({ contents }));
    },
  };
}

/** Bundles an element of packages/embeds into one module. */
export async function embedBundle(name: 'inbox' | 'phone'): Promise<string> {
  return await bundle({
    entryPoints: [`packages/embeds/src/${name}.ts`],
    tsconfig: 'packages/embeds/tsconfig.json',
    format: 'esm',
    alias: {
      '@dialplane/i18n': './packages/i18n/src/index.ts',
      '@dialplane/softphone': './packages/softphone/src/index.js',
    },
    plugins: [await freshWorklet()],
    banner: { js: EMBED_NOTE },
    legalComments: 'eof',
  });
}

/** Bundles the library into one module. */
export async function softphoneBundle(): Promise<string> {
  return await bundle({
    entryPoints: ['packages/softphone/src/index.js'],
    format: 'esm',
    plugins: [await freshWorklet()],
  });
}

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    banner: { js: NOTE },
    ...options,
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    target: 'es2022',
    write: false,
  });
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error(`nothing was made of ${String(options.entryPoints)}`);
  return file.text;
}
