/** What the person sets at the phone: whether callers of queues ring here, the devices, and notifications. */
import type { AudioDevice } from '@dialplane/softphone';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Line } from './line.ts';
import type { DeviceKind } from './sound.ts';

/** The queues of the web client, each with a switch, and one for all if there are several. */
export function queuesView(line: Line): TemplateResult | typeof nothing {
  const { queues } = line;
  if (queues.length === 0 || line.state !== 'ready') return nothing;
  const isAvailable = queues.some(({ availability }) => availability === 'available');
  const [only] = queues;
  const all = queues.length === 1 ? `Take callers of ${only?.name}` : 'Take callers of queues';
  return html`<fieldset class="queues" part="queues">
    <legend class="hidden">Queues</legend>
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
  // The box shows what the server says, not what was clicked.
  return html`<label class="switch">
    <input type="checkbox" role="switch" .checked=${live(on)} @change=${change} /><span>${label}</span>
  </label>`;
}

/** The devices, and the button that allows notifications. */
export function settingsView(line: Line, alerts: { mayAsk: boolean; onAsk: () => void }): TemplateResult {
  const { sound } = line;
  const { microphones, speakers } = sound.devices;
  const open = (event: Event) => {
    if ((event.target as HTMLDetailsElement).open) void line.listDevices();
  };
  return html`<details class="settings" part="settings" @toggle=${open}>
    <summary>Sound</summary>
    ${deviceField(line, 'microphone', 'Microphone', microphones)}
    ${sound.mayChooseSpeaker ? deviceField(line, 'speaker', 'Speaker', speakers) : nothing}
    ${
      alerts.mayAsk
        ? html`<button class="plain" type="button" @click=${alerts.onAsk}>Notify me of calls</button>`
        : nothing
    }
  </details>`;
}

function deviceField(line: Line, kind: DeviceKind, label: string, devices: readonly AudioDevice[]): TemplateResult {
  const used = line.sound.used[kind];
  const change = (event: Event) => void line.chooseDevice(kind, (event.target as HTMLSelectElement).value);
  // Chromium lists the default device a second time, under this id.
  const others = devices.filter(({ id }) => id !== 'default');
  return html`<label
    >${label}<select class="field" @change=${change}>
      <option value="" .selected=${live(used === '')}>Default</option>
      ${others.map(({ id, label: name }) => html`<option value=${id} .selected=${live(used === id)}>${name}</option>`)}
    </select></label
  >`;
}
