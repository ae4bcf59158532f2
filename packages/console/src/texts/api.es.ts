import type { Translation } from '@dialplane/i18n';
import type { en } from './api.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  operator: {
    firstKey: 'Primera clave',
  },
  progress: {
    failed: 'Falló la conexión.',
  },
});
