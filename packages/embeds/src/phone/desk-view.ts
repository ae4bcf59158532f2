/** The settings of the phone: the queues whose callers ring here, the devices, and notifications. */
import type { AudioDevice } from '@dialplane/softphone';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Texts } from '../texts/texts.ts';
import type { Line } from './line.ts';
import type { DeviceKind } from './sound.ts';

/** The queues of the web client, each with a switch. If there are several, one more switch sets all. */
export function queuesView({ desk }: Texts, line: Line): TemplateResult | typeof nothing {
  const { queues } = line;
  if (queues.length === 0 || line.state !== 'ready') return nothing;
  const isAvailable = queues.some(({ availability }) => availability === 'available');
  const [only] = queues;
  const all = only !== undefined && queues.length === 1 ? desk.takeOf(only.name) : desk.takeAll;
  return html`<fieldset class="queues" part="queues">
    <legend class="hidden">${desk.queues}</legend>
    ${toggle(all, isAvailable, (on) => line.setAvailable(on))}
    ${
      queues.length === 1
        ? nothing
        : html`<ul>
            ${queues.map(
              ({ id, name, availability }) =>
                html`<li>${toggle(name, availability === 'available', (on) => line.setAvailable(on, id))}</li>`,
            )}
          </ul>`
    }
  </fieldset>`;
}

function toggle(label: string, on: boolean, act: (on: boolean) => void): TemplateResult {
  const change = (event: Event) => act((event.target as HTMLInputElement).checked);
  // The box shows the server's state. A click does not change it directly.
  return html`<label class="switch">
    <input type="checkbox" role="switch" .checked=${live(on)} @change=${change} /><span>${label}</span>
  </label>`;
}

/** The devices, and the button that allows notifications. */
export function settingsView(
  { desk }: Texts,
  line: Line,
  alerts: { mayAsk: boolean; onAsk: () => void },
): TemplateResult {
  const { sound } = line;
  const { microphones, speakers } = sound.devices;
  const open = (event: Event) => {
    if ((event.target as HTMLDetailsElement).open) void line.listDevices();
  };
  return html`<details class="settings" part="settings" @toggle=${open}>
    <summary>${desk.sound}</summary>
    ${deviceField(desk, line, 'microphone', microphones)}
    ${sound.mayChooseSpeaker ? deviceField(desk, line, 'speaker', speakers) : nothing}
    ${
      alerts.mayAsk ? html`<button class="plain" type="button" @click=${alerts.onAsk}>${desk.notify}</button>` : nothing
    }
  </details>`;
}

type DeskTexts = Texts['desk'];

function deviceField(desk: DeskTexts, line: Line, kind: DeviceKind, devices: readonly AudioDevice[]): TemplateResult {
  const used = line.sound.used[kind];
  const change = (event: Event) => void line.chooseDevice(kind, (event.target as HTMLSelectElement).value);
  // Chromium lists the default device a second time, under this id.
  const others = devices.filter(({ id }) => id !== 'default');
  return html`<label
    >${desk[kind]}<select class="field" @change=${change}>
      <option value="" .selected=${live(used === '')}>${desk.standard}</option>
      ${others.map(({ id, label }) => html`<option value=${id} .selected=${live(used === id)}>${label}</option>`)}
    </select></label
  >`;
}
