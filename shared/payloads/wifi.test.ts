import { expect, test } from 'vitest';
import { parseWifi, type Wifi } from './wifi.ts';

const wifi = (fields: Partial<Wifi>): Wifi => ({
  ssid: 'mynetwork',
  password: 'mypass',
  encryption: 'WPA',
  hidden: false,
  ...fields,
});

test.each<[string, Wifi]>([
  ['WIFI:T:WPA;S:mynetwork;P:mypass;;', wifi({})],
  ['WIFI:S:mynetwork;P:mypass;T:WEP;H:true;;', wifi({ encryption: 'WEP', hidden: true })],
  ['wifi:t:nopass;s:mynetwork;;', wifi({ password: '', encryption: 'nopass' })],
  ['WIFI:S:mynetwork;;', wifi({ password: '', encryption: 'nopass' })],
  ['WIFI:S:mynetwork;P:mypass;;', wifi({})],
  ['WIFI:T:SAE;S:mynetwork;P:mypass', wifi({})],
  // The example from the format's page: a name with quotes and a backslash in it.
  ['WIFI:T:WPA;S:\\"foo\\;bar\\\\baz\\";P:mypass;;', wifi({ ssid: '"foo;bar\\baz"' })],
  ['WIFI:T:WPA;S:"ABCD";P:"0123";;', wifi({ ssid: 'ABCD', password: '0123' })],
  ['WIFI:T:WPA;S:a\\:b\\,c;P:d\\\\;;', wifi({ ssid: 'a:b,c', password: 'd\\' })],
  ['WIFI:T:WPA;S:Café ☕;P:mypass;;', wifi({ ssid: 'Café ☕' })],
])('%s is a network', (payload, expected) => {
  expect(parseWifi(payload)).toEqual(expected);
});

test.each(['', 'WIFI:', 'WIFI:T:WPA;P:secret;;', 'mynetwork', 'WIFI:S:;;', 'WIFI:S'])(
  '%j names no network',
  (payload) => {
    expect(parseWifi(payload)).toBeUndefined();
  },
);
