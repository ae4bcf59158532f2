import { en } from './routing.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('routing', en);
