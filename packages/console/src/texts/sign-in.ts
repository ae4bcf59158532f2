import { en } from './sign-in.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('signIn', en);
