import { en } from './accounts.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('accounts', en);
