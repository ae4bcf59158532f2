/** The tables in Spanish, by group. */
import { es as overview } from './overview.es.ts';

export const es = {
  overview,
};
