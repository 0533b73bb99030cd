/** A Wi-Fi network. No browser can join one for its user, so the page says how. */
import { html } from 'hono/html';
import { parseWifi, type Wifi } from '#shared/payloads/wifi.ts';
import type { Html } from '../layout.ts';
import { card, copyButton, row, statusLine, type View } from './parts.ts';

const security: Record<Wifi['encryption'], string> = {
  WPA: 'WPA / WPA2 / WPA3',
  WEP: 'WEP',
  nopass: 'None: anyone near can join, and may listen in',
};

/** Folded away from people who look over the reader's shoulder. */
const secret = (password: string): Html =>
  html`<details class="secret"><summary><span class="closed">•••••••• <b>Show</b></span><b class="open">Hide</b></summary>
<code id="password">${password}</code></details>`;

const ios = ({ hidden, password }: Wifi): Html => html`<details><summary>On an iPhone or iPad</summary>
<ol>
<li>Open <b>Settings</b>, then <b>Wi-Fi</b>.</li>
${
  hidden
    ? html`<li>Tap <b>Other…</b>, enter the name of the network and choose its security.</li>`
    : html`<li>Tap the name of the network.</li>`
}
${password && html`<li>Touch and hold the password field, and <b>paste</b>.</li>`}
<li>Tap <b>Join</b>.</li>
</ol></details>`;

const android = ({ hidden, password }: Wifi): Html => html`<details><summary>On Android</summary>
<ol>
<li>Open <b>Settings</b>, then <b>Network &amp; internet</b> or <b>Connections</b>, then <b>Wi-Fi</b>.</li>
${
  hidden
    ? html`<li>Tap <b>Add network</b>, enter its name and choose its security.</li>`
    : html`<li>Tap the name of the network.</li>`
}
${password && html`<li>Touch and hold the password field, and <b>paste</b>.</li>`}
<li>Tap <b>Connect</b> or <b>Save</b>.</li>
</ol></details>`;

export const showWifi = (payload: string): View => {
  const wifi = parseWifi(payload);
  if (!wifi) return undefined;
  const { ssid, password, encryption, hidden } = wifi;
  return {
    icon: 'wifi',
    title: 'Join this Wi-Fi',
    lead: password
      ? 'Copy the password, then choose the network in your settings.'
      : 'Choose the network in your settings.',
    body: html`${card(
      row('Network', html`<span id="ssid">${ssid}</span>`, copyButton('ssid', 'the name of the network')),
      row('Password', password ? secret(password) : undefined, copyButton('password', 'the password')),
      row('Security', security[encryption]),
      row('Visible', hidden ? 'No: it is not in the list of networks, add it by its name' : undefined),
    )}
${statusLine}
<div class="card">${ios(wifi)}${android(wifi)}</div>`,
  };
};
