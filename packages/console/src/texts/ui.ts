import { textsOf } from './texts.ts';
import { en } from './ui.en.ts';

export const texts = textsOf('ui', en);
