import { en } from './forms.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('forms', en);
