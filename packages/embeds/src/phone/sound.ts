/** The microphone and the speaker of the phone: the available devices, and the person's choice. */
import { type AudioDevice, type AudioDevices, type Softphone, SoftphoneError } from '@dialplane/softphone';

/** The id or the name of a microphone and of a speaker; '' is the browser's default. */
type Choice = { microphone: string; speaker: string };
export type DeviceKind = keyof Choice;

/** The storage key of the names of the chosen devices. Browsers may change the ids of devices with each visit. */
const STORED_AS = 'dialplane-phone-devices';

export class Sound {
  devices: AudioDevices = { microphones: [], speakers: [] };
  /** The ids of the devices in use. */
  used: Choice = { microphone: '', speaker: '' };
  /** The names of the chosen devices. If a chosen device was unplugged, it is used again when it is back. */
  #wanted: Choice = { microphone: '', speaker: '' };
  readonly #onChange: () => void;
  #phone: Softphone | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** True if the browser can play on a speaker other than the default. */
  get mayChooseSpeaker(): boolean {
    return 'setSinkId' in AudioContext.prototype;
  }

  /** Uses the devices that were chosen before, and follows devices that are plugged in and out. */
  async follow(phone: Softphone): Promise<void> {
    this.#phone = phone;
    this.used = { microphone: '', speaker: '' };
    this.#wanted = readChoice();
    phone.on('devices', (devices) => this.#take(phone, devices));
    this.#take(phone, await phone.devices());
  }

  /** Lists the devices. If the browser hides them until the person allows the microphone, asks for the microphone. */
  async list(): Promise<void> {
    const phone = this.#phone;
    if (phone === undefined) return;
    let devices = await phone.devices();
    if (devices.microphones.length === 0) {
      await askForMicrophone();
      devices = await phone.devices();
    }
    this.#take(phone, devices);
  }

  /** Uses another device, also during a call. Rejects with `microphone_refused` or `speaker_refused`. */
  async choose(kind: DeviceKind, id: string): Promise<void> {
    const phone = this.#phone;
    if (phone === undefined) return;
    await use(phone, kind, id);
    this.used[kind] = id;
    const { microphones, speakers } = this.devices;
    const listed = kind === 'microphone' ? microphones : speakers;
    this.#wanted[kind] = listed.find((device) => device.id === id)?.label ?? '';
    keepChoice(this.#wanted);
    this.#onChange();
  }

  #take(phone: Softphone, devices: AudioDevices): void {
    if (this.#phone !== phone) return;
    this.devices = devices;
    this.#useWanted(phone, 'microphone', devices.microphones);
    if (this.mayChooseSpeaker) this.#useWanted(phone, 'speaker', devices.speakers);
    this.#onChange();
  }

  #useWanted(phone: Softphone, kind: DeviceKind, devices: readonly AudioDevice[]): void {
    const [before, wanted] = [this.used[kind], this.#wanted[kind]];
    const id = (wanted !== '' && devices.find(({ label }) => label === wanted)?.id) || '';
    if (id === before) return;
    this.used[kind] = id;
    use(phone, kind, id).catch(() => {
      // The library still uses the previous device.
      this.used[kind] = before;
      this.#onChange();
    });
  }
}

function use(phone: Softphone, kind: DeviceKind, id: string): Promise<void> {
  return kind === 'microphone' ? phone.useMicrophone(id) : phone.useSpeaker(id);
}

async function askForMicrophone(): Promise<void> {
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    for (const track of stream.getTracks()) track.stop();
  } catch (error) {
    throw new SoftphoneError('microphone_refused', String(error));
  }
}

function readChoice(): Choice {
  const { microphone = '', speaker = '' } = readStored() ?? {};
  return { microphone: String(microphone), speaker: String(speaker) };
}

function readStored(): Record<string, unknown> | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? '{}');
  } catch {
    // A page in a sandbox has no storage. The stored text may also come from another script.
    return null;
  }
}

function keepChoice(choice: Choice): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(choice));
  } catch {
    // The storage is missing or full, so the choice lasts until the page closes.
  }
}
