import { en } from './templates.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('templates', en);
