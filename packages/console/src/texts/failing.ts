import { en } from './failing.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('failing', en);
