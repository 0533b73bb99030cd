import { expect, test } from 'vitest';
import { isFromOurPage } from './origin.ts';

const ours = ['https://qr.example.com', 'https://api.example.com'];
const sent = (origin: string, fetchSite = '', host = 'qr.example.com') => ({ origin, fetchSite, host });

test.each([
  sent(''),
  sent('https://qr.example.com', 'same-origin'),
  sent('https://api.example.com', 'same-site'),
  sent('https://qr.example.com', '', 'control-plane.internal:3000'),
  sent('http://192.168.1.5:8080', 'same-origin', '192.168.1.5:8080'),
])('%j may be sent', (from) => {
  expect(isFromOurPage(from, ours)).toBe(true);
});

test.each([
  sent('https://evil.example'),
  sent('https://qr.example.com.evil.example'),
  sent('https://qr.example.com:8443'),
  sent('null'),
  sent('', 'cross-site'),
  sent('https://qr.example.com', 'cross-site'),
  sent('not an origin'),
  sent('https://evil.example', 'none', ''),
])('%j is refused', (from) => {
  expect(isFromOurPage(from, ours)).toBe(false);
});
