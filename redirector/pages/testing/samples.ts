/** One page of every kind, as scanners get it. */
import type { DataType, LocationType } from '#schemas/api/data-types.ts';
import type { Language } from '#shared/languages.ts';
import { type Answer, answers } from '../answers.ts';
import { failures } from '../failures.ts';
import { gs1Answers, invalidLink } from '../gs1.ts';
import { type PageContext, renderPage, type ShownDecision } from '../index.ts';
import type { Page } from '../page.ts';

const lines = (...texts: string[]): string => texts.join('\r\n');

/** A text in the form of a JWE. Tests that open one make real ones. */
const jwe = 'eyJhbGciOiJQQkVTMi1IUzI1NitBMTI4S1cifQ.c2VhbGVk.aXY.Y29udGVudA.dGFn';

const content = (dataType: Extract<ShownDecision, { kind: 'content' }>['dataType'], payload: string) =>
  ({ kind: 'content', dataType, payload, ruleId: '', variantId: '' }) as const;

export const vcardPayload = lines(
  'BEGIN:VCARD',
  'VERSION:4.0',
  'N:Lindqvist;Maja;;;',
  'FN:Maja Lindqvist',
  'ORG:Norrsken Ceramics;Studio',
  'TITLE:Founder',
  'TEL;VALUE=uri;TYPE="cell,voice":tel:+46-70-123-45-67',
  'TEL;TYPE=work:+46 8 123 45 00',
  'EMAIL;TYPE=work:maja@norrsken.example',
  'URL:https://norrsken.example/maja',
  'ADR;TYPE=work:;;Hornsgatan 12;Stockholm;;118 20;Sweden',
  'NOTE:Visits by appointment\\, please ring twice.',
  'END:VCARD',
);

export const samplePayloads = {
  text: 'Table 14\n\nThe kitchen closes at 22:00.\nAsk for the seasonal menu: it is not printed anywhere.',
  wifi: 'WIFI:T:WPA;S:Hotel Aurora Guests;P:northern\\;lights-2026;;',
  vcard: vcardPayload,
  mecard:
    'MECARD:N:Owen,Sean;TEL:+12125551212;EMAIL:sean@example.com;URL:example.com;ADR:76 9th Avenue, 4th Floor, New York;;',
  vcalendar: lines(
    'BEGIN:VEVENT',
    'SUMMARY:Opening night: glass and light',
    'DTSTART;TZID=Europe/Stockholm:20260918T190000',
    'DTEND;TZID=Europe/Stockholm:20260918T230000',
    'LOCATION:Hornsgatan 12\\, Stockholm',
    'DESCRIPTION:Doors open at half past six.',
    'END:VEVENT',
  ),
  email: 'mailto:hello@norrsken.example?subject=A%20question&body=Dear%20team%2C%0D%0A%0D%0A',
  sms: 'SMSTO:+46701234567:I would like to book a table for two.',
  phone: 'tel:+46-8-123-45-00',
  geo: 'geo:59.3172,18.0500?q=59.3172,18.0500(Norrsken Ceramics)',
} as const satisfies Record<Exclude<DataType, LocationType>, string>;

/** A scan of a person's with a desktop, who reads English. */
export const sampleContext: PageContext = {
  path: '/r/abcdefghi?s=poster',
  reader: 'en',
  about: { codeId: 'abcdefghi' },
  os: 'other',
};

const shared = { ruleId: '', variantId: '' };

/** By name. */
export const samplePages = (language: Language = 'en'): Record<string, Page> => {
  const show = (decision: ShownDecision, context: Partial<PageContext> = {}): Page =>
    renderPage(decision, { ...sampleContext, reader: language, ...context });
  const pagesOf = (named: Readonly<Record<string, Pick<Answer, 'page'>>>) =>
    Object.fromEntries(Object.entries(named).map(([name, answer]) => [name, answer.page(language)]));
  return {
    ...pagesOf(answers),
    ...pagesOf(failures),
    gs1Unknown: gs1Answers.unknown.page(language),
    gs1ScanUnit: gs1Answers.scanUnit.page(language),
    gs1Invalid: invalidLink('AI (01): The numeric check digit is incorrect').page(language),
    ...Object.fromEntries(
      Object.entries(samplePayloads).map(([dataType, payload]) => [
        dataType,
        show(content(dataType as keyof typeof samplePayloads, payload)),
      ]),
    ),
    wifiOnIphone: show(content('wifi', samplePayloads.wifi), { os: 'ios' }),
    geoOnAndroid: show(content('geo', samplePayloads.geo), { os: 'android' }),
    password: show({ kind: 'password' }),
    wrongPassword: show({ kind: 'password' }, { failed: true }),
    passphrase: show({ kind: 'encrypted', dataType: 'url', jwe, by: 'AES', ...shared }),
    sealedWifi: show({ kind: 'encrypted', dataType: 'wifi', jwe, by: 'AES', ...shared }),
    sealedContact: show({ kind: 'encrypted', dataType: 'vcard', jwe, by: 'AES', ...shared }),
    sealedMecard: show({ kind: 'encrypted', dataType: 'mecard', jwe, by: 'AES', ...shared }),
    sealedEvent: show({ kind: 'encrypted', dataType: 'vcalendar', jwe, by: 'AES', ...shared }),
    sealedPlace: show({ kind: 'encrypted', dataType: 'geo', jwe, by: 'AES', ...shared }),
    sealedEmail: show({ kind: 'encrypted', dataType: 'email', jwe, by: 'AES', ...shared }),
    privateKey: show({ kind: 'encrypted', dataType: 'url', jwe, by: 'RSA', ...shared }),
    app: show({
      kind: 'app',
      target: { url: 'norrsken://piece/42', storeUrl: 'https://apps.example.com/norrsken' },
      fallback: 'https://norrsken.example/pieces/42',
      ...shared,
    }),
    refusedApp: show({
      kind: 'app',
      target: { url: 'javascript:alert(1)' },
      fallback: 'https://norrsken.example/pieces/42',
      ...shared,
    }),
  };
};
