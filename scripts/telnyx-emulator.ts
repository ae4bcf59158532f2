/**
 * Starts the Telnyx emulator for people who want to look. Buys a number in it, runs five requests with curl, and
 * prints them with their replies. Ends with Ctrl-C.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { parseArgs, promisify } from 'node:util';
import { openEmulator } from '../test/telnyx/emulator.ts';

const HELP = `npm run telnyx:emulator -- [options]

  --port PORT         the port on 127.0.0.1 (4010; 0: any free one)
  --key KEY           the API key (a random one)
  --webhook-url URL   where the events go (nowhere)
`;
const PERSON = '+13035550142';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    key: { type: 'string', default: `KEY${randomBytes(24).toString('hex')}` },
    'webhook-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const run = promisify(execFile);

async function main(): Promise<void> {
  const { key, port, help } = values;
  if (help) {
    process.stdout.write(HELP);
    return;
  }
  const { url, publicKey } = await openEmulator({ apiKey: key, port: Number(port) });
  const origin = new URL(url).origin;
  const { number, connectionId } = await buyNumber(url);
  console.log(
    `Telnyx emulator\n\n  API         ${url}\n  API key     ${key}\n  public key  ${publicKey}\n  number      ${number}`,
  );
  console.log(`\nA text to a person, what the handset has, and the person's reply:`);
  await show(`${url}/messages`, { from: number, to: PERSON, text: 'Hello' });
  await request(`${origin}/_control/settled`, {});
  await show(`${origin}/_control/handset`, { phoneNumber: PERSON });
  await show(`${origin}/_control/textIn`, { from: PERSON, to: number, text: 'Hello yourself' });
  console.log('\nA call to a person, and the calls that there are:');
  await show(`${url}/calls`, { connection_id: connectionId, from: number, to: PERSON });
  await request(`${origin}/_control/callsQuiet`, {});
  await show(`${origin}/_control/calls`, {});
  console.log(
    '\ntest/telnyx/controls.ts lists what it can be asked below /_control. Ctrl-C ends it, and forgets everything.',
  );
}

/** Makes a messaging profile and an application that may call out, and buys a number in both. */
async function buyNumber(url: string): Promise<{ readonly number: string; readonly connectionId: string }> {
  const webhook_url = values['webhook-url'] ?? null;
  const outbound = (await request(`${url}/outbound_voice_profiles`, { name: 'look' })) as { id: string };
  const application = {
    application_name: 'look',
    webhook_event_url: webhook_url ?? '',
    webhook_api_version: '2',
    outbound: { outbound_voice_profile_id: outbound.id },
  };
  const connection = (await request(`${url}/call_control_applications`, application)) as { id: string };
  const profile = { name: 'look', whitelisted_destinations: ['US', 'CA'], webhook_url };
  const { id } = (await request(`${url}/messaging_profiles`, profile)) as { id: string };
  const found = await request(`${url}/available_phone_numbers?filter[national_destination_code]=303&filter[limit]=1`);
  const [{ phone_number = '' } = {}] = found as { phone_number: string }[];
  await request(`${url}/number_orders`, {
    phone_numbers: [{ phone_number }],
    messaging_profile_id: id,
    connection_id: connection.id,
  });
  return { number: phone_number, connectionId: connection.id };
}

/** Sends a request and returns the data of the reply: POST with a body, else GET. */
async function request(address: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${values.key}` };
  const reply = await fetch(address, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${address}: ${reply.status} ${text}`);
  return JSON.parse(text)?.data;
}

/** Runs a request with curl, and prints the command and the reply. */
async function show(address: string, body: object): Promise<void> {
  const args = ['-sS', address, '-H', `Authorization: Bearer ${values.key}`, '--json', JSON.stringify(body)];
  const line = args.map((arg) => (/^[\w:/.-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(' ');
  console.log(`\n  curl ${line}`);
  console.log(`  ${await replyTo(args)}`);
}

async function replyTo(args: readonly string[]): Promise<string> {
  try {
    return (await run('curl', args)).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '(curl is not installed here)';
    throw error;
  }
}

await main();
