/** A Wi-Fi network. Browsers cannot join one for their user, so the page says how. */
import { parseWifi, type Wifi } from '#shared/payloads/wifi.ts';
import { type Element, element, type Part } from './elements.ts';
import { card, copied, copyButton, row, type Show, statusLine } from './fragments.ts';

const security: Record<Wifi['encryption'], string> = {
  WPA: 'WPA / WPA2 / WPA3',
  WEP: 'WEP',
  nopass: 'None: anyone near can join, and may listen in',
};

const bold = (text: string): Element => element('b', {}, text);
const item = (...parts: Part[]): Element => element('li', {}, parts);

/** Folded away from people who look over the reader's shoulder; visible on paper. */
const secret = (password: string): Part => [
  element(
    'details',
    { class: 'secret' },
    element(
      'summary',
      {},
      element('span', { class: 'closed' }, '•••••••• ', bold('Show')),
      element('b', { class: 'open' }, 'Hide'),
    ),
    element('code', { id: 'password' }, password),
  ),
  element('code', { class: 'printed' }, password),
];

const steps = (title: string, ...items: Part[]): Element =>
  element('details', {}, element('summary', {}, title), element('ol', {}, items));

const paste = ({ password }: Wifi): Part =>
  password ? item('Touch and hold the password field, and ', bold('paste'), '.') : undefined;

const ios = (wifi: Wifi): Element =>
  steps(
    'On an iPhone or iPad',
    item('Open ', bold('Settings'), ', then ', bold('Wi-Fi'), '.'),
    wifi.hidden
      ? item('Tap ', bold('Other…'), ', enter the name of the network and choose its security.')
      : item('Tap the name of the network.'),
    paste(wifi),
    item('Tap ', bold('Join'), '.'),
  );

const android = (wifi: Wifi): Element =>
  steps(
    'On Android',
    item(
      ...['Open ', bold('Settings'), ', then ', bold('Network & internet'), ' or ', bold('Connections')],
      ...[', then ', bold('Wi-Fi'), '.'],
    ),
    wifi.hidden
      ? item('Tap ', bold('Add network'), ', enter its name and choose its security.')
      : item('Tap the name of the network.'),
    paste(wifi),
    item('Tap ', bold('Connect'), ' or ', bold('Save'), '.'),
  );

export const showWifi: Show = (payload) => {
  const wifi = parseWifi(payload);
  if (!wifi) return undefined;
  const { ssid, password, encryption, hidden } = wifi;
  return {
    title: 'Join this Wi-Fi',
    lead: password
      ? 'Copy the password, then choose the network in your settings.'
      : 'Choose the network in your settings.',
    body: [
      card(
        row('Network', copied('ssid', ssid), copyButton('ssid', 'the name of the network')),
        row('Password', password ? secret(password) : undefined, copyButton('password', 'the password')),
        row('Security', security[encryption]),
        row('Visible', hidden ? 'No: it is not in the list of networks, add it by its name' : undefined),
      ),
      statusLine,
      element('div', { class: 'card steps' }, ios(wifi), android(wifi)),
    ],
  };
};
