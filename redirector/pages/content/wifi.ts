/** A Wi-Fi network. Browsers cannot join one for their user, so the page says how. */
import { parseWifi, type Wifi } from '#shared/payloads/wifi.ts';
import { type Element, element, type Part } from './elements.ts';
import { card, copied, copyButton, row, type Show, statusLine, type Viewer } from './fragments.ts';

type WifiWords = Viewer['words']['wifi'];

const security = (encryption: Wifi['encryption'], { none }: WifiWords): string =>
  ({ WPA: 'WPA / WPA2 / WPA3', WEP: 'WEP', nopass: none })[encryption];

/** Hidden from people who look over the reader's shoulder, and in the same place when it is shown; visible on paper. */
const secret = (password: string, { show, hide }: WifiWords): Part => [
  element(
    'details',
    { class: 'secret' },
    element(
      'summary',
      {},
      element('span', { class: 'closed', 'aria-hidden': 'true' }, '••••••••'),
      element('span', { class: 'toggle closed' }, show),
      element('span', { class: 'toggle open' }, hide),
    ),
    element('code', { id: 'password' }, password),
  ),
  element('code', { class: 'printed' }, password),
];

/** Words between asterisks are the names of settings. */
const step = (text: string): Element =>
  element(
    'li',
    {},
    text.split('*').map((piece, index) => (index % 2 === 1 ? element('b', {}, piece) : piece)),
  );

const steps = (title: string, isOnly: boolean, ...texts: (string | undefined)[]): Element => {
  const list = element('ol', {}, texts.filter((text) => text !== undefined).map(step));
  return isOnly
    ? element('section', {}, element('h2', {}, title), list)
    : element('details', {}, element('summary', {}, title), list);
};

/** Of the asking phone, or of both. */
const allSteps = ({ password, hidden }: Wifi, words: WifiWords, device: Viewer['device']): Part =>
  (['ios', 'android'] as const)
    .filter((one) => device === undefined || one === device)
    .map((one) => {
      const { title, settings, other, join } = words[one];
      return steps(
        title,
        device === one,
        settings,
        hidden ? other : words.tapName,
        password ? words.paste : undefined,
        join,
      );
    });

export const showWifi: Show = (payload, { words: { wifi: words }, device }) => {
  const wifi = parseWifi(payload);
  if (!wifi) return undefined;
  const { ssid, password, encryption, hidden } = wifi;
  return {
    title: words.title,
    lead: password ? words.leadPassword : words.lead,
    body: [
      card(
        row(words.network, copied('ssid', ssid), copyButton('ssid', words.copyName, 'small')),
        row(words.password, password ? secret(password, words) : undefined),
        row(words.security, security(encryption, words)),
        row(words.visible, hidden ? words.hidden : undefined),
      ),
      password ? copyButton('password', words.copyPassword, 'button primary') : undefined,
      statusLine,
      element('div', { class: 'card steps' }, allSteps(wifi, words, device)),
    ],
  };
};
