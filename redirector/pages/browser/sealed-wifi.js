/** A sealed Wi-Fi network: its name, and its password to copy. */
import { fieldsOf } from './sealed-fields.js';
import { card, copyButton, make, row, statusLine, unescaped, views } from './sealed-views.js';

const securities = { WEP: 'WEP', nopass: 'None: anyone near can join, and may listen in' };

const showWifi = (text) => {
  const all = fieldsOf(text, 'WIFI:');
  const value = (key) => {
    const [first = ''] = all(key);
    return unescaped(/^"([0-9a-f]*)"$/i.exec(first)?.[1] ?? first);
  };
  const ssid = all && value('S');
  if (!ssid) return undefined;
  const password = value('P');
  const type = value('T') || (password ? 'WPA' : 'nopass');
  const security = /^wep$/i.test(type) ? 'WEP' : /^(nopass|none|open)$/i.test(type) ? 'nopass' : 'WPA';
  const secret = make(
    'details',
    { class: 'secret' },
    make(
      'summary',
      {},
      make('span', { class: 'closed' }, '•••••••• ', make('b', {}, 'Show')),
      make('b', { class: 'open' }, 'Hide'),
    ),
    '\n',
    make('code', { id: 'password' }, password),
  );
  return {
    title: 'Join this Wi-Fi',
    lead: password
      ? 'Copy the password, then choose the network in your settings.'
      : 'Choose the network in your settings.',
    content: [
      card(
        row('Network', ssid, copyButton(ssid, 'the name of the network')),
        row('Password', password && secret, copyButton(password, 'the password')),
        row('Security', securities[security] ?? 'WPA / WPA2 / WPA3'),
        row(
          'Visible',
          /^true$/i.test(value('H')) && 'No: it is not in the list of networks, add it by its name',
        ),
      ),
      statusLine(),
    ],
  };
};

views.wifi = showWifi;
