/** The audio of the wire carrier. */
import { MAGIC } from '../../src/carriers/simulated/magic-numbers.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { startWire } from '../wire/start-wire.ts';
import { describeAgentConformance, describeAudioConformance } from './audio.ts';
import { describeFrontDeskConformance } from './front-desk.ts';
import { describeMachineConformance } from './machines.ts';
import { describeRecordingControl } from './recording-control.ts';
import { useWireAdapter } from './wire-adapter.ts';

const wire = await startWire({ roundTripMs: 0, works: false });
closeAfterTests(() => wire.close());
const { openVoice } = await useWireAdapter(wire);

describeAudioConformance('wire', () => openVoice('520'));
describeAgentConformance('wire', () => openVoice('480'));
describeFrontDeskConformance('wire', () => openVoice('623'));
describeRecordingControl('wire', () => openVoice('623'));
describeMachineConformance('wire', async () => ({
  ...(await openVoice('928')),
  answeredBy: { machine: MAGIC.machine, fax: MAGIC.fax },
}));
