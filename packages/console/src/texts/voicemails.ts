import { textsOf } from './texts.ts';
import { en } from './voicemails.en.ts';

export const texts = textsOf('voicemails', en);
