import { en } from './inbox.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('inbox', en);
