import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const sdk = (file: string) => fileURLToPath(new URL(`../sdk/src/${file}.ts`, import.meta.url));
const softphone = (file: string) => fileURLToPath(new URL(`../softphone/src/${file}.js`, import.meta.url));

/** Small modules that nearly every page has, with the texts of the frame: in one file they are smaller. */
const FRAME =
  /console\/src\/(texts\/(api|app|lib|ui)\.|lib\/(amounts|dates|durations|failures|language|numbers|zone)\.|ui\/(badge|empty-state|error-note|moment|notice|one-zone|page|refusal|rich)\.)/;

/** Builds the console into dist/. Addresses are relative, so that the server chooses the path prefix by `<base>`. */
// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  resolve: {
    alias: {
      '@dialplane/i18n': fileURLToPath(new URL('../i18n/src/index.ts', import.meta.url)),
      '@dialplane/sdk/resources': sdk('resources'),
      '@dialplane/sdk/realtime': sdk('realtime'),
      '@dialplane/softphone/audio-engine': softphone('audio-engine'),
      '@dialplane/softphone': softphone('index'),
    },
  },
  build: {
    target: 'es2023',
    emptyOutDir: true,
    // A file that is inlined as a data: address would be refused by the page's Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: FRAME }] } } },
  },
});
