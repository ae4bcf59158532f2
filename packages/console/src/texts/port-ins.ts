import { en } from './port-ins.en.ts';
import { textsOf } from './texts.ts';

export const texts = textsOf('portIns', en);
