/** The programs of examples/. Each runs by the command of its README, and the API shows its effects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { now } from '../../src/lib/time/time.ts';
import { noPython } from '../support/doc-languages.ts';
import type { Json } from '../support/events.ts';
import { assertEndedWell, type Ran, readAs, runExample, startService } from '../support/examples.ts';
import { useHarness } from '../support/harness.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';

const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });

describe('the examples', { concurrency: 2 }, () => {
  it('text back a caller once, and not after STOP', async () => {
    const ran = await runExample(harness, 'missed-call-text-back');
    await assertEndedWell(ran);
    const { data: calls } = await readAs(ran, '/calls');
    assert.deepEqual(
      calls.map(({ status }: { status: string }) => status),
      ['missed', 'missed', 'missed'],
    );
    const caller = calls[0].from;
    assert.deepEqual(
      (await textsWith(ran, 'missed_call')).map(({ to, status, metadata }) => [to, status, metadata]),
      [[caller, 'delivered', { missed_call: calls[2].id }]],
    );
    assert.match(ran.output, /no text, recipient_opted_out/);
  });

  it('let callers wait for an agent, who has time after each call, and call back who asks for it', async () => {
    const ran = await runExample(harness, 'support-line');
    await assertEndedWell(ran);
    const { data: calls } = await readAs(ran, '/calls');
    const [back, second, first] = calls as Json[];
    assert.deepEqual([first?.status, first?.answered_by], ['completed', '+16025550120']);
    assert.deepEqual([second?.outcome, second?.answered_by], ['missed', null]);
    assert.deepEqual([back?.direction, back?.to, back?.connect_to], ['outbound', second?.from, '+16025550120']);
    assert.match(ran.output, /state is wrap_up\n.*is free and calls/);
  });

  it('remind people of appointments, understand C and R, and respect STOP', { skip: noPython }, async () => {
    const ran = await runExample(harness, 'appointment-reminders');
    await assertEndedWell(ran);
    const reminders = await textsWith(ran, 'appointment');
    assert.deepEqual(reminders.map(({ status }) => status).sort(), ['canceled', 'delivered', 'delivered']);
    for (const reminder of reminders) {
      assert.match(reminder.send_at, /T16:00:00/, 'nine in Phoenix');
      const late = await readAs(ran, `/messages?conversation_id=${reminder.conversation_id}`);
      const [newest] = late.data as Json[];
      const isOptedOut = reminder.status === 'canceled';
      assert.equal(newest?.status, 'delivered');
      assert.match(newest?.body, isOptedOut ? /You are unsubscribed/ : /^Thank you, see you|^Which day suits you/);
    }
    assert.match(ran.output, /Ana {2}confirmed\n.*Ben {2}to be moved\n.*Cleo {2}call: recipient_opted_out/);
  });

  it('verify a code once, in time, with few attempts', { skip: noPython }, async () => {
    const ran = await runExample(harness, 'two-factor-codes');
    await assertEndedWell(ran);
    const texts = await textsWith(ran, 'code_id');
    assert.deepEqual(
      texts.map(({ status, error_code }) => [status, error_code]),
      [['failed', 'carrier_rejected'], ...Array(3).fill(['delivered', null])],
    );
    const answers = [...ran.output.matchAll(/^ {2}(\/\S+): (\d+) /gm)].map(([, path, status]) => `${path} ${status}`);
    const [send, check] = ['/codes', '/codes/verify'];
    assert.deepEqual(answers, [
      ...[`${send} 202`, `${check} 403`, `${check} 200`, `${check} 410`],
      ...[`${send} 202`, `${check} 410`],
      ...[`${send} 202`, ...Array(5).fill(`${check} 403`), `${check} 429`, `${send} 429`],
      `${send} 202`,
    ]);
    assert.match(ran.output, /\+15005550001 failed \(carrier_rejected\)/);
  });

  it('onboard a customer once, however often the program runs', async () => {
    const ran = await runExample(harness, 'onboarding');
    await assertEndedWell(ran);
    const paths = ['/tenants', '/phone_numbers', '/e911_addresses', '/routing_configs', '/brands', '/campaigns'];
    const [tenant, number, address, routing, brand, campaign] = await Promise.all(
      paths.map(async (path) => {
        const { data } = await readAs(ran, path);
        assert.equal(data.length, 1, `${path}: ${JSON.stringify(data)}`);
        return data[0];
      }),
    );
    assert.match(tenant.external_ref, /^desert-paws-/);
    const { campaign_id, e911_address_id, routing_config_id, messaging_ready } = number;
    assert.deepEqual(
      { campaign_id, e911_address_id, routing_config_id, messaging_ready },
      { campaign_id: campaign.id, e911_address_id: address.id, routing_config_id: routing.id, messaging_ready: true },
    );
    assert.deepEqual([address.state, brand.status, campaign.status], ['AZ', 'vetted', 'approved']);
    const { data: texts } = await readAs(ran, '/messages');
    assert.deepEqual(
      texts.map(({ to, status }: Json) => [to, status]),
      [['+16025550143', 'delivered']],
    );
  });

  it('answer a call, stop for the caller, and pass the caller to the voicemail', async () => {
    const ran = await runExample(harness, 'voice-agent');
    await assertEndedWell(ran);
    const { data: calls } = await readAs(ran, '/calls');
    const [call] = calls;
    assert.deepEqual([calls.length, call.status, call.outcome], [1, 'completed', 'voicemail']);
    const logged = [...ran.output.matchAll(/^call_\w+ (.*)$/gm)].map(([, line]) => line);
    const greeting = 'agent: Hello, you have reached the clinic. How can I help you?';
    assert.deepEqual(logged.slice(0, 2), [`${greeting} Press 1 for a person, or 2 to leave a message.`, 'interrupted']);
    // A later speech may be over before the caller presses a digit: the example runs in real time.
    assert.deepEqual(
      logged.slice(2).filter((line) => line !== 'interrupted'),
      [
        'agent: I did not understand that. Press 1 for a person, or 2 to leave a message.',
        ...['caller pressed 3', 'agent: We are open from nine to five.', 'caller pressed 2', 'transfer to voicemail'],
        ...['call.transfer.started', 'call.transfer.completed', 'over: voicemail'],
      ],
    );
    const { data: voicemails } = await readAs(ran, '/voicemails');
    assert.deepEqual(
      voicemails.map(({ call_id }: Json) => call_id),
      [call.id],
    );
    assert.ok(call.events.some(({ type }: Json) => type === 'stream_started'));
  });

  for (const [name, skip] of [
    ['text-agent', false],
    ['text-agent-python', noPython],
  ] as const) {
    it(`${name}: words of a caller are answered, and a person is handed the questions`, { skip }, async () => {
      const ran = await runExample(harness, name);
      await assertEndedWell(ran);
      const [call] = (await readAs(ran, '/calls')).data;
      assert.equal(call.answered_by, 'relay');
      const relay = await readAs(ran, `/calls/${call.id}/relay`);
      assert.equal(relay.reason, 'agent_ended');
      assert.deepEqual(JSON.parse(relay.handoff_data), { asked: ['When are you open?', 'A person.'] });
      const lines = [...ran.output.matchAll(/^ {2}(.*)$/gm)].map(([, line = '']) => line);
      assert.deepEqual(
        lines.slice(lines.lastIndexOf(`${call.from} calls`)).filter((line) => !/^interr/.test(line)),
        [
          ...[`${call.from} calls`, 'agent: Hello, this is the clinic. How can I help you?'],
          ...['caller: When are you open?', 'agent: We are open from nine to five, Monday to Friday.'],
          ...['caller: A person.', 'agent: One moment, I will get a person.', 'over', 'answered by: relay'],
        ],
      );
      const rehearsal = '  handed over: {"asked":["When are you open?"]}';
      assert.equal(ran.output.includes(rehearsal), name === 'text-agent');
    });
  }

  it('show texts that arrive in an inbox, and send the reply once', async () => {
    const ran = await runExample(harness, 'embedded-inbox');
    await assertEndedWell(ran);
    const { data: texts } = await readAs(ran, '/messages');
    assert.deepEqual(
      texts.map(({ direction, body, status }: Json) => [direction, status, body.slice(0, 16)]).reverse(),
      [
        ['inbound', 'received', 'Is Biscuit ready'],
        ['outbound', 'delivered', 'Biscuit is ready'],
        ['inbound', 'received', 'STOP'],
        ['outbound', texts[0].status, 'Desert Paws Clin'],
      ],
    );
    assert.match(ran.output, /without a session: 401\n {2}the same login again: 401/);
    assert.match(ran.output, /the next reply: recipient_opted_out/);
  });

  it('give a page a session of its tenant, for its own origin and its abilities', async () => {
    const ran = await runExample(harness, 'embedded-elements');
    await assertEndedWell(ran);
    const lines = [...ran.output.matchAll(/^ {2}(.*)$/gm)].map(([, line]) => line);
    assert.deepEqual(lines, [
      'the newest conversation: Is Biscuit ready?',
      'a page of another origin: 403',
      'an operation without its ability: 403',
      'an operation of the account: 403',
    ]);
  });
});

describe('an example that works until it is stopped', () => {
  const services = [
    { name: 'missed-call-text-back', skip: false as const },
    { name: 'two-factor-codes', skip: noPython },
  ];
  for (const { name, skip } of services) {
    it(`${name} refuses forged events, and removes its webhook endpoint at the end`, { skip }, async () => {
      const [PORT, LOGIN_PORT] = [String(await freePort()), String(await freePort())];
      const service = await startService(harness, name, { PORT, LOGIN_PORT });
      await until('it has its endpoint', async () => (await readAs(service, '/webhook_endpoints')).data.length === 1);
      const [endpoint] = (await readAs(service, '/webhook_endpoints')).data;
      const [tenant] = (await readAs(service, '/tenants')).data;
      const event = { id: 'evt_1', type: 'message.received', tenant_id: tenant.id, data: { from: '+16025550143' } };
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      };
      const forged = await fetch(endpoint.url, { method: 'POST', body: JSON.stringify(event), headers });
      assert.equal(forged.status, 400);
      const genuine = await service.call('POST', `/v1/webhook_endpoints/${endpoint.id}/test`, { body: {} });
      assert.equal(genuine.body.delivered, true, JSON.stringify(genuine.body));
      service.stop();
      await service.ended;
      assert.deepEqual((await readAs(service, '/webhook_endpoints')).data, [], service.output());
      assert.doesNotMatch(service.output(), /\+16025550143/);
    });
  }
});

describe('an agent that is started again', () => {
  for (const [name, skip] of [
    ['text-agent', false],
    ['text-agent-python', noPython],
  ] as const) {
    it(`${name} answers its number at the new address`, { skip }, async () => {
      const { test_key } = await harness.secondAccount();
      const read = async (path: string) => (await harness.call('GET', `/v1${path}`, { key: test_key })).body;
      const urls: string[] = [];
      for (const PORT of [String(await freePort()), String(await freePort())]) {
        const service = await startService(harness, name, { DIALPLANE_KEY: test_key, PORT });
        await until('the agent has its number', () => service.output().includes(`:${PORT}/`), 30_000);
        service.stop();
        await service.ended;
        const { data } = await read('/routing_configs');
        urls.push(...data.map(({ open_behavior }: Json) => open_behavior.url));
        assert.ok(urls.at(-1)?.endsWith(`:${PORT}/`));
      }
      assert.equal(urls.length, 2);
    });
  }
});

describe('an example with a live key', () => {
  const services = [
    { name: 'missed-call-text-back', skip: false as const },
    { name: 'two-factor-codes', skip: noPython },
  ];
  for (const { name, skip } of services) {
    it(`${name} makes no tenant and buys no number`, { skip }, async () => {
      const { live_key } = await harness.secondAccount();
      const service = await startService(harness, name, { DIALPLANE_KEY: live_key });
      assert.equal(await service.ended, 1, service.output());
      assert.match(service.output(), /With a live key set DIALPLANE_NUMBER/);
      const { status, body } = await harness.call('GET', '/v1/tenants', { key: live_key });
      assert.deepEqual([status, body.data], [200, []]);
    });
  }
});

/** Returns the texts that an example sent with a field of `metadata`, newest first. */
async function textsWith(ran: Ran, field: string): Promise<Json[]> {
  const { data } = await readAs(ran, '/messages?direction=outbound&limit=100');
  return data.filter(({ metadata }: Json) => field in metadata);
}
