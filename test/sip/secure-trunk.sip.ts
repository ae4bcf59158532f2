/** A provider that is reached over TLS with encrypted audio (SRTP). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { renderModules } from '../../src/carriers/sip/config/modules-conf.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { startEngine } from './engine.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

test('a provider calls over TLS with encrypted audio, and not with audio in clear', async () => {
  const network = await openNetwork();
  closeAfterTests(network.close);
  const host = await network.newHost();
  // Connections of the provider come from the first address of its machine.
  const match = [`${network.engineAddress}/24`];
  const trunk = { name: 'secure', host, port: 5061, transport: 'tls', match };
  const dialplan = '[from-outside]\nexten => _+X.,1,Answer()\nexten => _+X.,2,Echo()\n';
  const engine = await startEngine({
    settings: { trunks: JSON.stringify([trunk]), listen_address: network.engineAddress, rtp_ports: '22000-22999' },
    files: {
      'extensions.conf': dialplan,
      'modules.conf': `${renderModules()}\nload = app_echo\n`,
    },
  });
  closeAfterTests(engine.close);
  const address = `${network.engineAddress}:${engine.connection.settings['tls_port']}`;
  const open = async (srtp: boolean) => {
    const says = sine({ frequencyHz: 600, samples: samplesOf(60_000), amplitude: 8_000 });
    const phone = await Phone.start({ network, host, user: 'provider', engine: address, transport: 'tls', srtp, says });
    closeAfterTests(() => phone.close());
    return phone;
  };
  const clear = await open(false);
  await clear.dial('+13035550101');
  assert.match(await clear.waitForEnd(), /^488 /);
  await clear.close();
  const secure = await open(true);
  await secure.dial('+13035550101');
  await until('it hears itself', () => secure.hears(600), 15_000);
  await secure.hangUp();
  await until('no channel is left', async () => (await engine.listChannels()).length === 0);
});
