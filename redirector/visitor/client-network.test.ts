import ipaddr from 'ipaddr.js';
import { expect, test } from 'vitest';
import { limitedAddress } from '#shared/networks.ts';
import { createClientAddresses } from './client-addresses.ts';
import { networkText } from './client-network.ts';

const clientAddresses = createClientAddresses({
  trustedProxies: [],
  capacity: 100,
  countries: { ofIpv4: () => '', ofText: () => '' },
});
const addressOf = (text: string) =>
  clientAddresses.ofConnection(new Uint8Array(ipaddr.parse(text).toByteArray()));

/** Each line is one network, as several of its addresses. */
const networks = [
  ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107'],
  ['203.0.113.8'],
  ['203.0.112.7', '::ffff:203.0.112.7'],
  ['2001:db8::', '2001:db8::1', '2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:DB8::A'],
  ['2001:db8:0:1::1', '2001:db8:0:1:2:3:4:5'],
  ['2001:db8:1:2::9', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1', 'fe80::'],
  ['64:ff9b::203.0.113.7', '64:ff9b::203.0.113.8'],
];
const addresses = networks.flatMap((ofNetwork, network) => ofNetwork.map((text) => ({ text, network })));

/** The control plane gets addresses in the redirector's notation. */
test.each([
  [
    'the address limit of scans',
    (text: string) => {
      const { networkHigh, networkLow } = addressOf(text);
      return networkText(networkHigh, networkLow);
    },
  ],
  [
    'the address limits of the API, and the attempts at passwords',
    (text: string) => limitedAddress(addressOf(text).text),
  ],
])('both planes count the same addresses as one client: %s', (_, groupOf) => {
  for (const one of addresses) {
    const same = addresses.filter(({ text }) => groupOf(text) === groupOf(one.text));
    expect(same).toEqual(addresses.filter(({ network }) => network === one.network));
  }
});
