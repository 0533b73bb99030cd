/** Payloads that are an address to write to, to call or to go to. */
import { describe, expect, test } from 'vitest';
import { type Email, parseEmail, writeMailto } from './email.ts';
import { parseGeo, writeGeoUri } from './geo.ts';
import { isAppUrl, webUrl } from './links.ts';
import { parsePhone, writeTelUri } from './phone.ts';
import { parseSms, writeSmsUri } from './sms.ts';

describe('email', () => {
  test.each<[string, Email]>([
    ['mailto:chris@example.com', { to: 'chris@example.com' }],
    [
      'mailto:infobot@example.com?subject=current-issue&body=send%20current-issue',
      { to: 'infobot@example.com', subject: 'current-issue', body: 'send current-issue' },
    ],
    // RFC 6068, section 6.1
    ['mailto:gorby%25kremvax@example.com', { to: 'gorby%kremvax@example.com' }],
    [
      'mailto:?to=joe@example.com&cc=bob@example.com&body=hello',
      { to: 'joe@example.com', cc: 'bob@example.com', body: 'hello' },
    ],
    ['mailto:a@example.com?to=b@example.com', { to: 'a@example.com,b@example.com' }],
    ['mailto:user@example.org?subject=caf%C3%A9', { to: 'user@example.org', subject: 'café' }],
    ['mailto:a@example.com?body=1+1%0D%0A=2', { to: 'a@example.com', body: '1+1\r\n=2' }],
    [
      'mailto:a@example.com?subject=a%0D%0Abcc:b@example.com',
      { to: 'a@example.com', subject: 'a bcc:b@example.com' },
    ],
    ['mailto:a@example.com?subject=100%', { to: 'a@example.com', subject: '100%' }],
    [
      'MATMSG:TO:a@example.com;SUB:Hi\\; you;BODY:Text;;',
      { to: 'a@example.com', subject: 'Hi; you', body: 'Text' },
    ],
    ['someone@example.com', { to: 'someone@example.com' }],
  ])('%s', (payload, expected) => {
    const email = parseEmail(payload);
    expect(email).toEqual(expected);
    expect(parseEmail(writeMailto(email!))).toEqual(expected);
  });

  test.each(['', 'mailto:', 'someone', 'javascript:alert@x', 'a b@example.com'])(
    '%j is not one',
    (payload) => {
      expect(parseEmail(payload)).toBeUndefined();
    },
  );
});

describe('sms', () => {
  test.each([
    ['sms:+15105550101', { phone: '+15105550101' }],
    ['sms:+15105550101?body=hello%20there', { phone: '+15105550101', message: 'hello there' }],
    ['sms:+15105550101,+15105550102?body=hi', { phone: '+15105550101,+15105550102', message: 'hi' }],
    ['sms:+15105550101&body=hi', { phone: '+15105550101', message: 'hi' }],
    ['sms:+15105550101;?&body=a%26b', { phone: '+15105550101', message: 'a&b' }],
    ['SMSTO:+15105550101:100% true: yes?', { phone: '+15105550101', message: '100% true: yes?' }],
    ['smsto:123', { phone: '123' }],
    ['MMSTO:123:pic', { phone: '123', message: 'pic' }],
    ['+1 (510) 555-0101', { phone: '+1 (510) 555-0101' }],
  ])('%s', (payload, expected) => {
    expect(parseSms(payload)).toEqual(expected);
  });

  test('is opened with only digits, and a message that iOS and Android read', () => {
    const uri = writeSmsUri({ phone: '+1 (510) 555-0101', message: 'a&b ü' });
    expect(uri).toBe('sms:+15105550101?&body=a%26b%20%C3%BC');
    expect(parseSms(uri)).toEqual({ phone: '+15105550101', message: 'a&b ü' });
  });

  test.each(['', 'sms:', 'hello'])('%j is not one', (payload) => {
    expect(parseSms(payload)).toBeUndefined();
  });
});

describe('phone', () => {
  test.each([
    ['tel:+1-201-555-0123', '+1-201-555-0123', 'tel:+12015550123'],
    ['tel:7042;phone-context=example.com', '7042', 'tel:7042'],
    ['+49 (30) 1234/56', '+49 (30) 1234/56', 'tel:+4930123456'],
    ['*100#', '*100#', 'tel:*100%23'],
  ])('%s', (payload, phone, uri) => {
    expect(parsePhone(payload)).toEqual({ phone });
    expect(writeTelUri({ phone })).toBe(uri);
  });

  test.each(['', 'tel:', 'call me', 'tel:javascript:1', '+'])('%j is not one', (payload) => {
    expect(parsePhone(payload)).toBeUndefined();
  });
});

describe('geo', () => {
  test.each([
    ['geo:13.4125,103.8667', { latitude: 13.4125, longitude: 103.8667 }],
    ['geo:48.2010,16.3695,183', { latitude: 48.201, longitude: 16.3695 }],
    ['geo:48.198634,16.371648;crs=wgs84;u=40', { latitude: 48.198634, longitude: 16.371648 }],
    ['geo:0,0?q=1,2', { latitude: 0, longitude: 0 }],
    ['GEO:-90,180?q=-90,180(South+Pole)', { latitude: -90, longitude: 180, label: 'South Pole' }],
    ['59.3, 18.0', { latitude: 59.3, longitude: 18 }],
  ])('%s', (payload, expected) => {
    expect(parseGeo(payload)).toEqual(expected);
    expect(parseGeo(writeGeoUri(expected))).toEqual(expected);
  });

  test.each([
    '',
    'geo:',
    'geo:91,0',
    'geo:0,181',
    'geo:1e5,0',
    'geo:323482,4306480;crs=nad83',
    'geo:1',
    'Paris',
    // Decimal commas: they would be read as another place.
    '52,52; 13,40',
    '52,52 13,40',
    '52,52,13,40',
    '52.5,13.4 Berlin',
    '52.5,13.4,17z',
  ])('%j is no place', (payload) => {
    expect(parseGeo(payload)).toBeUndefined();
  });

  test('no coordinate is written in scientific notation', () => {
    expect(writeGeoUri({ latitude: -0.00000001, longitude: 0.0000004 })).toBe(
      'geo:0,0.0000004?q=0,0.0000004',
    );
  });
});

describe('links', () => {
  test.each([
    'myapp://open/1',
    'MyApp:x',
    'intent://x#Intent;scheme=a;end',
    'market://details?id=a',
    'https://a.example/',
  ])('%s may open an app', (url) => {
    expect(isAppUrl(url)).toBe(true);
  });

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    'view-source:https://a.example',
    'about:blank',
    '//a.example',
    'myapp',
    'myapp://ä',
    'my app://x',
    '',
  ])('%j may not', (url) => {
    expect(isAppUrl(url)).toBe(false);
  });

  test('a web address is an http or https URL with a host, in ASCII', () => {
    expect(webUrl('https://bücher.example/ä')).toBe('https://xn--bcher-kva.example/%C3%A4');
    for (const text of [
      'javascript:1',
      'https:a',
      'https://',
      'http:///x',
      'ftp://a.example',
      'https://a b/',
    ]) {
      expect(webUrl(text)).toBeUndefined();
    }
  });
});
