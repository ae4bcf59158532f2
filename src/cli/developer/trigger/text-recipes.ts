/** Recipes of texts, opt-outs and opt-ins. */
import { CommandError } from '../../command.ts';
import { NEVER_DELIVERED, OPTED_OUT_PERSON, OWN_NAME, PERSON, type Recipe } from './recipe.ts';
import type { Made, Stage } from './stage.ts';

async function sendText(stage: Stage, to: string): Promise<string> {
  const { id: from } = await stage.number();
  return (await stage.post('/messages', stage.change({ from, to, body: 'See you at 10:30.' }))).id;
}

const ATTEMPTS_MAX = 5;

/** Reports that the carrier has accepted the text. A second later the carrier itself reports the delivery. */
async function reportSent(stage: Stage): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const id = await sendText(stage, PERSON);
    const { status } = await stage.post(`/test/messages/${id}/receipt`, { status: 'sent' });
    if (status === 'sent') return id;
  }
  throw new CommandError('Each text was delivered before it could be reported as sent: the server is slow. Try again.');
}

/**
 * Sends a keyword from a person, which changes whether texts to that person are allowed. If the keyword would change
 * nothing, the person sends the opposite one first.
 */
async function textKeyword(stage: Stage, body: 'STOP' | 'START'): Promise<string> {
  const { id, phone_number: to } = await stage.number();
  const text = stage.change({ from: OPTED_OUT_PERSON, to, body });
  const { from } = text;
  const check = { from: id, to: from, body: 'See you at 10:30.' };
  const { error } = (await stage.post('/messages/check', check)) as Made & { error: { code: string } | null };
  const isOptedOut = error?.code === 'recipient_opted_out';
  if (isOptedOut === (body === 'STOP')) {
    await stage.post('/test/inbound_messages', { from, to, body: body === 'STOP' ? 'START' : 'STOP' });
  }
  await stage.post('/test/inbound_messages', text);
  return from;
}

export const TEXT_RECIPES = {
  'message.received': async (stage) => {
    const { phone_number: to } = await stage.number();
    const body = stage.change({ from: PERSON, to, body: 'Is Biscuit ready?' });
    return (await stage.post('/test/inbound_messages', body)).id;
  },
  'message.sent': reportSent,
  'message.delivered': (stage) => sendText(stage, PERSON),
  'message.failed': (stage) => sendText(stage, NEVER_DELIVERED),
  'conversation.updated': async (stage) => {
    const { id: from } = await stage.number();
    const { conversation_id: id } = await stage.post('/messages', { from, to: PERSON, body: 'See you at 10:30.' });
    const path = `/conversations/${id}`;
    const { state } = await stage.get<Made & { state: string }>(path);
    await stage.send('PATCH', path, stage.change({ state: state === 'done' ? 'open' : 'done' }));
    return id as string;
  },
  'opt_out.created': (stage) => textKeyword(stage, 'STOP'),
  'opt_out.removed': (stage) => textKeyword(stage, 'START'),
  'opt_in.submitted': async (stage) => {
    const form = await stage.findOrMake<Made & { slug: string }>('/opt_in_forms', { name: OWN_NAME });
    await stage.submit(`/opt-in/${form.slug}`, stage.change({ phone_number: PERSON, consent: 'yes' }));
    return form.id;
  },
} satisfies Record<string, Recipe>;
