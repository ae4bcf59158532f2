/** The agent: its words at the start of a call, after a question and after a key. Put your model where `answer` is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRelay, type RelaySession } from '@dialplane/sdk';

const MENU = 'You can ask for our hours, or for a person.';

/** Says an answer word by word, as a model does. */
async function* answer(question: string): AsyncGenerator<string> {
  const text = /hours|open|close/i.test(question)
    ? 'We are open from nine to five, Monday to Friday.'
    : `I did not understand that. ${MENU}`;
  for (const word of text.split(' ')) {
    await sleep(10);
    yield `${word} `;
  }
}

/** Makes an agent. `log` gets a line for each thing that happens, and `onClose` is called after each call. */
export function createAgent(log: (line: string) => void, onClose: (callId: string) => void = () => undefined) {
  return createRelay(() => {
    const asked: string[] = [];
    const said = (text: string) => {
      log(`agent: ${text.trim()}`);
      return text;
    };
    /** Logs the words that were made, also if the caller interrupts. */
    async function* logged(words: AsyncIterable<string>) {
      let text = '';
      try {
        for await (const word of words) {
          text += word;
          yield word;
        }
      } finally {
        said(text);
      }
    }
    const handOver = async (session: RelaySession) => {
      await session.say(said('One moment, I will get a person.'));
      await session.end({ asked });
    };
    return {
      onSetup: ({ from }) => {
        log(`${from} calls`);
        return said('Hello, this is the clinic. How can I help you?');
      },
      onPrompt: ({ voicePrompt, last }, session) => {
        if (!last) return;
        log(`caller: ${voicePrompt}`);
        asked.push(voicePrompt);
        return /person|human/i.test(voicePrompt) ? handOver(session) : logged(answer(voicePrompt));
      },
      onDtmf: ({ digit }, session) => (digit === '0' ? handOver(session) : said(MENU)),
      onInterrupt: ({ utteranceUntilInterrupt }) => log(`interrupted after "${utteranceUntilInterrupt}"`),
      onError: ({ description }) => log(`error: ${description}`),
      onClose: (_end, session) => {
        log('over');
        onClose(session.setup.callSid);
      },
    };
  });
}
