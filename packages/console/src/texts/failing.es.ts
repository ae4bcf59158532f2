import type { Translation } from '@dialplane/i18n';
import type { en } from './failing.en.ts';

/** The texts in Spanish. */
export const es = (): Translation<ReturnType<typeof en>> => ({
  lastFailedLast: (failed, count, attempted) =>
    `Entregas fallidas: ${failed} de las últimas ${count}, última respuesta: ${attempted}`,
  since: 'desde <0/>',
  noAnswer: 'sin respuesta',
});
