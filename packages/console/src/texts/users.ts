import { textsOf } from './texts.ts';
import { en } from './users.en.ts';

export const texts = textsOf('users', en);
