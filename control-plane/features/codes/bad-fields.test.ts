import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeList } from '#schemas/api/code-lists.ts';
import type { CodeObject } from '#schemas/api/codes.ts';
import {
  errorBody,
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;
let code: CodeObject;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  code = await own.createCode({ name: 'untouched' });
});

const url = 'https://example.com/';
const past = Date.now() - 1;
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const pem = { type: 'spki', format: 'pem' } as const;

/** The fields sent, the expected status, and the beginning of the message. */
type Case = [body: object, status: number, message: string];

const rule = (fields: object, condition: object = { os: ['ios'] }) => ({
  routingRules: [{ id: 'a', condition, destination: url, ...fields }],
});
const variants = (...list: object[]) => ({ campaign: { status: 'active', variants: list } });
const variant = (fields: object) => variants({ id: 'a', name: 'A', destination: url, weight: 1, ...fields });
const ios = (fields: object) => ({ deepLinkConfig: { ios: { url: 'myapp://x', ...fields } } });
const android = (fields: object) => ({ deepLinkConfig: { android: { url: 'myapp://x', ...fields } } });
const dots = (fields: object) => ({ dotsOptions: fields });
const stops = (...colorStops: object[]) => dots({ color: { type: 'linear', colorStops } });
const black = { offset: 0, color: '#000000' };
const entries = (...times: string[]) => ({ schedule: times.map((at) => ({ at, destination: url })) });
const fingerprint = Array.from({ length: 32 }, () => 'ab').join(':');

/** Fields that creates and updates refuse alike. */
const shared: Case[] = [
  [{ maxScans: 0 }, 422, 'maxScans must be a whole number from 1'],
  [{ maxScans: 1.5 }, 422, 'maxScans must be a whole number from 1'],
  [{ maxScans: 2 ** 31 }, 422, 'maxScans must be a whole number from 1'],
  [{ maxScans: '5' }, 400, 'maxScans must be a number'],
  [{ expiresAt: past }, 422, 'expiresAt must be in the future; given: 2'],
  [
    { expiresAt: '2001-01-01T00:00:00Z' },
    422,
    'expiresAt must be in the future; given: 2001-01-01T00:00:00.000Z',
  ],
  [{ expiresAt: 8_640_000_000_000_001 }, 422, 'expiresAt must be at most 8640000000000000'],
  [{ expiresAt: '+275760-09-13T00:00:00.001Z' }, 422, 'expiresAt must be'],
  [{ expiresAt: 'tomorrow' }, 422, 'expiresAt must be an ISO 8601'],
  [{ expiresAt: '2099-02-30' }, 422, 'expiresAt must be an ISO 8601'],
  [{ expiresAt: '2099-01-01T12:00:00' }, 422, 'expiresAt must be an ISO 8601'],
  [{ expiresAt: 4e12 + 0.5 }, 422, 'expiresAt must be an ISO 8601'],
  [{ expiresAt: true }, 400, 'expiresAt must be a string or a number'],
  [{ routingRules: {} }, 400, 'routingRules must be an array'],
  [
    { routingRules: Array.from({ length: 51 }, () => rule({}).routingRules[0]) },
    422,
    'routingRules must have at most 50',
  ],
  [
    { routingRules: [...rule({}).routingRules, ...rule({}).routingRules] },
    422,
    'routingRules[1].id must not be given twice',
  ],
  [rule({ id: '' }), 422, 'routingRules[0].id must have at least 1'],
  [rule({ id: 5 }), 400, 'routingRules[0].id must be a string'],
  [rule({ destination: undefined }), 400, 'routingRules[0].destination is required'],
  [rule({ destination: 'javascript:alert(1)' }), 422, 'routingRules[0].destination must be an absolute'],
  [
    rule({ destination: `${qrHost}/r/abcdefghi` }),
    422,
    'routingRules[0].destination must not be one of the codes',
  ],
  [rule({ extra: 1 }), 400, 'routingRules[0].extra is not a known field'],
  [rule({}, {}), 422, 'routingRules[0].condition must have at least one of'],
  [rule({}, { region: ['BY'] }), 400, 'routingRules[0].condition.region is not a known field'],
  [rule({}, { language: ['german!'] }), 422, 'routingRules[0].condition.language[0] must be a language tag'],
  [rule({}, { language: [] }), 422, 'routingRules[0].condition.language must have at least 1'],
  [rule({}, { language: 'de' }), 400, 'routingRules[0].condition.language must be an array'],
  [
    rule({}, { language: Array.from({ length: 21 }, () => 'de') }),
    422,
    'routingRules[0].condition.language must have at most 20',
  ],
  [rule({}, { browser: [''] }), 422, 'routingRules[0].condition.browser[0] must have at least 1'],
  [rule({}, { query: {} }), 422, 'routingRules[0].condition.query must have at least one parameter'],
  [rule({}, { query: { s: 'x' } }), 422, 'routingRules[0].condition.query.s must not be s'],
  [rule({}, { query: { a: false } }), 422, 'routingRules[0].condition.query.a must be true'],
  [rule({}, { query: { a: 5 } }), 400, 'routingRules[0].condition.query.a must be true, a string or a list'],
  [rule({}, { query: { a: [] } }), 422, 'routingRules[0].condition.query.a must have at least 1'],
  [
    rule({}, { query: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`p${n}`, true])) }),
    422,
    'routingRules[0].condition.query must have at most 10 fields',
  ],
  [rule({}, { time: {} }), 422, 'routingRules[0].condition.time must have at least one of days, from, to'],
  [
    rule({}, { time: { timezone: 'Europe/Berlin' } }),
    422,
    'routingRules[0].condition.time must have at least one of days, from, to',
  ],
  [rule({}, { time: { from: '9:00' } }), 422, 'routingRules[0].condition.time.from must be a time of day'],
  [rule({}, { time: { from: '25:00' } }), 422, 'routingRules[0].condition.time.from must be a time of day'],
  [rule({}, { time: { to: '24:01' } }), 422, 'routingRules[0].condition.time.to must be a time of day'],
  [
    rule({}, { time: { from: '09:00', to: '09:00' } }),
    422,
    'routingRules[0].condition.time.from must differ',
  ],
  [
    rule({}, { time: { days: ['monday'] } }),
    422,
    'routingRules[0].condition.time.days[0] must be one of sun',
  ],
  [
    rule({}, { time: { to: '12:00', timezone: 'Mars' } }),
    422,
    'routingRules[0].condition.time.timezone must be an IANA time zone',
  ],
  [
    rule({}, { after: '2030-01-01' }),
    422,
    'routingRules[0].condition.after must be an ISO 8601 instant with',
  ],
  [rule({}, { after: '2030-01-01T00:00:00' }), 422, 'routingRules[0].condition.after must be an ISO 8601'],
  [rule({}, { before: 4e12 }), 400, 'routingRules[0].condition.before must be a string'],
  [
    rule({}, { after: '2030-01-01T00:00:00+01:00', before: '2029-12-31T23:00:00Z' }),
    422,
    'routingRules[0].condition.before must be later than after',
  ],
  [{ startsAt: '2099-01-01' }, 422, 'startsAt must be an ISO 8601 instant with an offset'],
  [{ startsAt: '2099-01-01T12:00:00' }, 422, 'startsAt must be an ISO 8601 instant with an offset'],
  [{ startsAt: 4e12 }, 400, 'startsAt must be a string'],
  [
    { startsAt: '2099-01-02T00:00:00Z', expiresAt: '2099-01-02T00:00:00Z' },
    422,
    'startsAt must be before expiresAt; given: 2099-01-02T00:00:00.000Z',
  ],
  [{ beforeStartUrl: 'ftp://example.com/' }, 422, 'beforeStartUrl must be an absolute http or https URL'],
  [{ expiredUrl: `${qrHost}/r/abcdefghi` }, 422, 'expiredUrl must not be one of the codes'],
  [{ expiredUrl: '' }, 422, 'expiredUrl must be an absolute http or https URL'],
  [{ schedule: {} }, 400, 'schedule must be an array'],
  [{ schedule: [{ at: '2099-01-01T00:00:00Z' }] }, 400, 'schedule[0].destination is required'],
  [entries('2099-01-01T00:00:00'), 422, 'schedule[0].at must be an ISO 8601 instant with an offset'],
  [entries('2001-01-01T00:00:00Z'), 422, 'schedule[0].at must be in the future; given: 2001-01-01'],
  [
    entries('2099-01-01T00:00:00Z', '2099-01-01T01:00:00+01:00'),
    422,
    'schedule[1].at must be later than the one before',
  ],
  [
    entries(...Array.from({ length: 51 }, (_, n) => `${2040 + n}-01-01T00:00:00Z`)),
    422,
    'schedule must have at most 50',
  ],
  [{ forwardQuery: 'true' }, 400, 'forwardQuery must be true or false'],
  [{ parameters: [] }, 400, 'parameters must be an object'],
  [{ parameters: { '': 'x' } }, 422, 'parameters. must have a name of at least 1'],
  [{ parameters: { a: 5 } }, 400, 'parameters.a must be a string'],
  [{ parameters: { a: '{ip}' } }, 422, 'parameters.a must have no other placeholders than {country}'],
  [{ parameters: { a: 'x\r\ny' } }, 422, 'parameters.a must not contain control characters'],
  [{ parameters: { a: 'x'.repeat(501) } }, 422, 'parameters.a must have at most 500'],
  [
    { parameters: Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`p${n}`, 'ü'.repeat(100)])) },
    422,
    'parameters must have at most 2000 characters together',
  ],
  [{ scanIdParameter: 5 }, 400, 'scanIdParameter must be a string, true or false'],
  [{ scanIdParameter: '' }, 422, 'scanIdParameter must have a name of at least 1'],
  [rule({}, { country: [] }), 422, 'routingRules[0].condition.country must have at least 1'],
  [rule({}, { country: ['DE', 'XX'] }), 422, 'routingRules[0].condition.country[1] must be a country code'],
  [rule({}, { country: ['DEU'] }), 422, 'routingRules[0].condition.country[0] must be a country code'],
  [rule({}, { country: 'DE' }), 400, 'routingRules[0].condition.country must be an array'],
  [rule({}, { device: ['phone'] }), 422, 'routingRules[0].condition.device[0] must be one of mobile'],
  [rule({}, { os: ['iOS'] }), 422, 'routingRules[0].condition.os[0] must be one of'],
  [{ campaign: [] }, 400, 'campaign must be an object'],
  [{ campaign: {} }, 400, 'campaign.status is required'],
  [{ campaign: { status: 'running', variants: [] } }, 422, 'campaign.status must be one of active, paused'],
  [variants(), 422, 'campaign.variants must have at least 1'],
  [variant({ weight: 0 }), 422, 'campaign.variants must have at least one whose weight is not 0'],
  [variant({ weight: -1 }), 422, 'campaign.variants[0].weight must be at least 0'],
  [variant({ weight: '1' }), 400, 'campaign.variants[0].weight must be a number'],
  [variant({ weight: undefined }), 400, 'campaign.variants[0].weight is required'],
  [
    variant({ destination: 'ftp://example.com/' }),
    422,
    'campaign.variants[0].destination must be an absolute',
  ],
  [
    variants(...Array.from({ length: 2 }, () => ({ id: 'a', destination: url, weight: 1 }))),
    422,
    'campaign.variants[1].id must not be given twice',
  ],
  [variant({ name: 'x'.repeat(121) }), 422, 'campaign.variants[0].name must have at most 120'],
  [{ messages: {} }, 422, 'messages must have at least one of inactive, notStarted, expired, capped'],
  [{ messages: { expired: {} } }, 422, 'messages.expired must have at least one of title, text, button'],
  [{ messages: { gone: { title: 'x' } } }, 400, 'messages.gone is not a known field'],
  [
    { messages: { expired: { title: 'x'.repeat(121) } } },
    422,
    'messages.expired.title must have at most 120',
  ],
  [{ messages: { capped: { text: 'x'.repeat(1001) } } }, 422, 'messages.capped.text must have at most 1000'],
  [
    { messages: { capped: { button: { label: 'x', url: 'javascript:alert(1)' } } } },
    422,
    'messages.capped.button.url must',
  ],
  [{ messages: { capped: { button: { label: 'x' } } } }, 400, 'messages.capped.button.url is required'],
  [{ deepLinkConfig: {} }, 422, 'deepLinkConfig must have at least one of ios, android'],
  [{ deepLinkConfig: { web: {} } }, 400, 'deepLinkConfig.web is not a known field'],
  [{ deepLinkConfig: { ios: {} } }, 400, 'deepLinkConfig.ios.url is required'],
  ...[
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x/y',
    'about:blank',
    'http://example.com/',
    'myapp:',
    'my app://x',
    'java\tscript:alert(1)',
    '//example.com',
    'open',
    '',
  ].map((appUrl): Case => [ios({ url: appUrl }), 422, 'deepLinkConfig.ios.url must']),
  [ios({ url: `${qrHost}/r/abcdefghi` }), 422, 'deepLinkConfig.ios.url must not be one of the codes'],
  [
    ios({ appStoreUrl: 'http://apps.apple.com/' }),
    422,
    'deepLinkConfig.ios.appStoreUrl must be an https URL',
  ],
  [ios({ appStoreUrl: 'itms-apps://x' }), 422, 'deepLinkConfig.ios.appStoreUrl must be'],
  [ios({ appId: 'com.example.app' }), 422, 'deepLinkConfig.ios.appId must be a team id'],
  [android({ package: 'app' }), 422, 'deepLinkConfig.android.package must be a package name'],
  [
    android({ package: 'com.example', sha256CertFingerprints: ['ab'] }),
    422,
    'deepLinkConfig.android.sha256CertFingerprints[0] must be the SHA-256',
  ],
  [
    android({ sha256CertFingerprints: [fingerprint] }),
    422,
    'deepLinkConfig.android.sha256CertFingerprints must be given together with package',
  ],
  [
    android({ package: 'com.example', sha256CertFingerprints: [] }),
    422,
    'deepLinkConfig.android.sha256CertFingerprints must have at least 1',
  ],
  // Styles.
  [{ preset: 'fancy' }, 422, 'preset must be one of classic'],
  [{ preset: 1 }, 400, 'preset must be one of'],
  [{ brandKitId: 'bk_unknown' }, 422, "brandKitId 'bk_unknown' is not a brand kit of this workspace"],
  [{ brandKitId: 'bk_1', preset: 'soft' }, 422, 'brandKitId must not be given together with preset'],
  [{ brandKitId: 5 }, 400, 'brandKitId must be a string'],
  [{ shape: 'hexagon' }, 422, 'shape must be one of square, circle'],
  [{ width: 63 }, 422, 'width must be a whole number from 64 to 4096'],
  [{ width: 300.5 }, 422, 'width must be a whole number from 64 to 4096'],
  [{ height: 4097 }, 422, 'height must be a whole number from 64 to 4096'],
  [{ height: '300' }, 400, 'height must be a number'],
  [{ margin: -1 }, 422, 'margin must be a whole number from 0 to 40'],
  [{ margin: 41 }, 422, 'margin must be a whole number from 0 to 40'],
  [{ returnType: 'gif' }, 422, 'returnType must be one of png'],
  [{ returnType: 'pdf' }, 422, 'returnType must be one of png'],
  [{ frame: 'banner' }, 400, 'frame must be an object'],
  [{ frame: {} }, 400, 'frame.id is required'],
  [{ frame: { id: 'cloud' } }, 422, 'frame.id must be one of none'],
  [{ frame: { id: 'banner', text: 'x'.repeat(25) } }, 422, 'frame.text must have at most 24'],
  [{ frame: { id: 'banner', text: 'a\nb' } }, 422, 'frame.text must not contain control characters'],
  [{ frame: { id: 'banner', font: 'comic' } }, 422, 'frame.font must be one of sans'],
  [{ frame: { id: 'banner', uppercase: 1 } }, 400, 'frame.uppercase must be true or false'],
  [{ frame: { id: 'banner', color: 'red' } }, 422, 'frame.color must be a colour'],
  [{ frame: { id: 'banner', background: 'see-through' } }, 422, 'frame.background must be a colour'],
  [{ frame: { id: 'banner', size: 1 } }, 400, 'frame.size is not a known field'],
  [dots({ color: '#12345' }), 422, 'dotsOptions.color must be a colour such as #1a2b3c'],
  [dots({ color: '#12345g' }), 422, 'dotsOptions.color must be a colour'],
  [dots({ color: 'transparent' }), 422, 'dotsOptions.color must be a colour'],
  [dots({ color: 5 }), 400, 'dotsOptions.color must be a colour'],
  [dots({ type: 'dot' }), 422, 'dotsOptions.type must be one of square'],
  [dots({ gradient: {} }), 400, 'dotsOptions.gradient is not a known field'],
  [{ cornersSquareOptions: { type: 'star' } }, 422, 'cornersSquareOptions.type must be one of'],
  [{ cornersDotOptions: { type: 'star' } }, 422, 'cornersDotOptions.type must be one of'],
  [
    dots({ color: { type: 'conic', colorStops: [] } }),
    422,
    'dotsOptions.color.type must be one of linear, radial',
  ],
  [dots({ color: { type: 'linear' } }), 400, 'dotsOptions.color.colorStops is required'],
  [stops(black), 422, 'dotsOptions.color.colorStops must have at least 2'],
  [
    stops(black, { offset: 1.1, color: '#000000' }),
    422,
    'dotsOptions.color.colorStops[1].offset must be at most 1',
  ],
  [
    stops({ ...black, offset: -0.1 }, black),
    422,
    'dotsOptions.color.colorStops[0].offset must be at least 0',
  ],
  [stops({ ...black, offset: 0.5 }, black), 422, 'dotsOptions.color.colorStops must be in the order'],
  [
    stops(black, { offset: 1, color: 'transparent' }),
    422,
    'dotsOptions.color.colorStops[1].color must be a colour',
  ],
  [
    stops(black, { offset: '1', color: '#000000' }),
    400,
    'dotsOptions.color.colorStops[1].offset must be a number',
  ],
  [
    { backgroundOptions: { color: 'none' } },
    422,
    'backgroundOptions.color must be a colour such as #1a2b3c, a gradient or transparent',
  ],
  [{ backgroundOptions: { round: 1.01 } }, 422, 'backgroundOptions.round must be at most 1'],
  [{ backgroundOptions: { round: '1' } }, 400, 'backgroundOptions.round must be a number'],
  [
    { qrOptions: { errorCorrectionLevel: 'X' } },
    422,
    'qrOptions.errorCorrectionLevel must be one of L, M, Q, H',
  ],
  [{ qrOptions: { typeNumber: 41 } }, 422, 'qrOptions.typeNumber must be a whole number from 0 to 40'],
  [{ qrOptions: { mode: 'kanji' } }, 422, 'qrOptions.mode must be one of auto'],
  [{ imageOptions: { imageSize: 1.5 } }, 422, 'imageOptions.imageSize must be at most 1'],
  [{ imageOptions: { margin: -1 } }, 422, 'imageOptions.margin must be at least 0'],
  [
    { imageOptions: { hideBackgroundDots: 'yes' } },
    400,
    'imageOptions.hideBackgroundDots must be true or false',
  ],
  [{ image: 'https://example.com/logo.png' }, 422, 'image must be a PNG'],
  [{ image: 'data:image/png;base64,AAAA' }, 422, 'image must be a PNG'],
  [{ image: 'data:image/jpeg;base64,iVBORw0KGgoA' }, 422, 'image must be a PNG'],
  [{ image: 'data:text/html;base64,PGI+eDwvYj4=' }, 422, 'image must be a PNG'],
  [{ image: '' }, 422, 'image must be a PNG'],
  [{ image: `iVBORw0KGgo${'A'.repeat(1_398_105)}` }, 422, 'image must not be larger than 1 MB'],
  [{ image: 5 }, 400, 'image must be a string'],
];

const ofCreate: Case[] = [
  [{ sources: Array.from({ length: 7 }, (_, n) => ({ id: `s${n}` })) }, 422, 'sources must have at most 6'],
  [{ sources: [{ id: 'a' }, { id: 'a' }] }, 422, 'sources[1].id must not be given twice'],
  [{ sources: [{ id: 'a b' }] }, 422, 'sources[0].id must be 1 to 64'],
  [{ sources: [{ name: 'x' }] }, 400, 'sources[0].id is required'],
  [{ sources: ['poster'] }, 400, 'sources[0] must be an object'],
  [{ secure: 'password' }, 400, 'secure must be an array'],
  [{ secure: ['pin'] }, 422, 'secure[0] must be one of password, encrypt, expire'],
  [{ secure: ['password'] }, 400, 'password is required when secure includes password'],
  [{ password: 'open sesame' }, 422, 'password must not be given unless secure includes password'],
  [{ secure: ['password'], password: 'abc' }, 422, 'password must have at least 4'],
  [{ secure: ['password'], password: 'x'.repeat(257) }, 422, 'password must have at most 256'],
  [{ secure: ['password'], password: 'abc\u0000d' }, 422, 'password must not contain control characters'],
  [{ secure: ['password'], password: 12345 }, 400, 'password must be a string'],
  [{ secure: ['password'], password: null }, 400, 'password must be a string'],
  [{ secure: ['expire'] }, 400, 'expiry is required when secure includes expire'],
  [{ expiry: Date.now() + 1e6 }, 422, 'expiry must not be given unless secure includes expire'],
  [{ secure: ['expire'], expiry: past }, 422, 'expiry must be in the future'],
  [{ secure: ['expire'], expiry: 8_640_000_000_000_001 }, 422, 'expiry must be at most'],
  [{ secure: ['expire'], expiry: '2099-01-01' }, 400, 'expiry must be a number'],
  [
    { secure: ['expire'], expiry: 4e12, expiresAt: 4e12 },
    422,
    'expiresAt must not be given together with expiry',
  ],
  [{ secure: ['encrypt'] }, 400, 'encryption is required when secure includes encrypt'],
  [{ encryption: { type: 'AES', key: 'long enough' } }, 422, 'encryption must not be given unless'],
  ...(
    [
      [{ type: 'DES', key: 'long enough' }, 422, 'encryption.type must be one of AES, RSA'],
      [{ type: 'AES' }, 400, 'encryption.key is required'],
      [{ type: 'AES', key: 'short' }, 422, 'encryption.key must have at least 8'],
      [{ type: 'AES', key: 5 }, 400, 'encryption.key must be a string'],
      [{ type: 'RSA', key: 'not a key' }, 422, 'encryption.key must be an RSA public key in PEM'],
      [
        { type: 'RSA', key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
        422,
        'encryption.key must be an RSA public key in PEM',
      ],
      [{ type: 'RSA', key: rsa(1024).publicKey.export(pem) }, 422, 'encryption.key must have from 2048'],
      [
        { type: 'RSA', key: rsa(2048).privateKey.export({ type: 'pkcs8', format: 'pem' }) },
        422,
        'encryption.key must be the public key',
      ],
      [
        { type: 'RSA', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(pem) },
        422,
        'encryption.key must be an RSA public key',
      ],
      [{ type: 'AES', key: 'long enough', iv: 'x' }, 400, 'encryption.iv is not a known field'],
    ] as Case[]
  ).map(([encryption, ...rest]): Case => [{ secure: ['encrypt'], encryption }, ...rest]),
  [
    { secure: ['encrypt'], encryption: { type: 'AES', key: 'long enough' }, ...rule({}) },
    422,
    'routingRules must not be given for an encrypted code',
  ],
];

const wifi = (fields: object) => ({
  dataType: 'wifi',
  data: { ssid: 'x', password: 'y', encryption: 'WPA', ...fields },
});
const event = (fields: object) => ({
  dataType: 'vcalendar',
  data: { title: 'x', start: '2030-01-31', end: '2030-02-01', ...fields },
});
const gs1 = (fields: object) => ({ dataType: 'gs1', data: { gtin: '9506000134352', ...fields } });

const payloads: Case[] = [
  [{ dataType: 'wifi', data: 'x' }, 422, 'data must begin with WIFI:'],
  [{ dataType: 'wifi', data: 'WIFI:T:WPA;;' }, 422, 'data cannot be read as the dataType wifi: give '],
  [{ dataType: 'wifi', data: ['x'] }, 400, 'data must be a string or an object'],
  [wifi({ ssid: undefined }), 400, 'data.ssid is required'],
  [wifi({ ssid: '' }), 422, 'data.ssid must have at least 1'],
  [wifi({ ssid: 'a\u0000' }), 422, 'data.ssid must not contain control characters'],
  [wifi({ encryption: 'WPA3' }), 422, 'data.encryption must be one of WPA, WEP, nopass'],
  [wifi({ encryption: undefined }), 400, 'data.encryption is required'],
  [wifi({ password: undefined }), 400, 'data.password is required unless'],
  [wifi({ encryption: 'nopass' }), 422, 'data.password must be empty where'],
  [wifi({ hidden: 'yes' }), 400, 'data.hidden must be true or false'],
  [wifi({ band: 5 }), 400, 'data.band is not a known field; accepted are ssid, password, encryption, hidden'],
  [{ dataType: 'email', data: 'nobody' }, 422, 'data cannot be read as the dataType email: give '],
  [{ dataType: 'email', data: { to: 'nobody' } }, 422, 'data.to must be an e-mail address'],
  [{ dataType: 'email', data: {} }, 400, 'data.to is required'],
  [{ dataType: 'email', data: { to: 'a\u0000@b' } }, 422, 'data.to must not contain control characters'],
  [{ dataType: 'email', data: { to: '\ud800@b' } }, 422, 'data.to must not contain control characters'],
  [{ dataType: 'phone', data: { phone: '1\n2' } }, 422, 'data.phone must be a phone number'],
  [
    { dataType: 'vcard', data: { firstName: 'A', website: 'https://a/\u0000' } },
    422,
    'data.website must not contain control characters',
  ],
  [{ dataType: 'phone', data: 'call me' }, 422, 'data cannot be read as the dataType phone: give '],
  [{ dataType: 'phone', data: { phone: 'abc' } }, 422, 'data.phone must be a phone number'],
  [{ dataType: 'phone', data: { phone: 112 } }, 400, 'data.phone must be a string'],
  [{ dataType: 'sms', data: {} }, 400, 'data.phone is required'],
  [
    { dataType: 'geo', data: '52,52; 13,40' },
    422,
    'data cannot be read as the dataType geo: give latitude and longitude such as 52.52,13.405 (decimal points, not commas)',
  ],
  [{ dataType: 'geo', data: '91,0' }, 422, 'data cannot be read as the dataType geo: give '],
  [{ dataType: 'geo', data: { latitude: 91, longitude: 0 } }, 422, 'data.latitude must be at most 90'],
  [{ dataType: 'geo', data: { latitude: 0, longitude: -181 } }, 422, 'data.longitude must be at least -180'],
  [{ dataType: 'geo', data: { latitude: '0', longitude: 0 } }, 400, 'data.latitude must be a number'],
  [{ dataType: 'vcard', data: {} }, 422, 'data must have at least one of firstName'],
  [
    { dataType: 'vcard', data: { firstName: 'A', website: 'javascript:x' } },
    422,
    'data.website must be an absolute',
  ],
  [{ dataType: 'vcard', data: { firstName: 'A', email: 'x' } }, 422, 'data.email must be an e-mail address'],
  [{ dataType: 'mecard', data: {} }, 400, 'data.name is required'],
  [event({ start: '2030-02-30' }), 422, 'data.start must be an ISO 8601'],
  [event({ end: '2030-01-31' }), 422, 'data.end must be after start'],
  [
    event({ end: '2030-02-01T00:00:00Z' }),
    422,
    'data.end must be a day or a time in the form that start has',
  ],
  [event({ timeZone: 'Mars/Olympus' }), 422, 'data.timeZone must be an IANA'],
  [event({ timeZone: 'Europe/Berlin' }), 422, 'data.timeZone must not be given for days'],
  [gs1({ gtin: '9506000134353' }), 422, 'data.gtin must be valid GS1 data: AI (01): The numeric check digit'],
  [
    gs1({ gtin: '00000000' }),
    422,
    'data.gtin must be valid GS1 data: AI (01): A GTIN of zeros identifies nothing',
  ],
  [gs1({ gtin: '95' }), 422, 'data.gtin must be a GTIN of 8, 12, 13 or 14 digits'],
  [gs1({ gtin: undefined }), 400, 'data.gtin is required where elements is not given'],
  [gs1({ gtin: 9506000134352 }), 400, 'data.gtin must be a string'],
  [gs1({ batch: 'ü' }), 422, 'data.batch must be valid GS1 data: AI (10): A non-CSET 82 character'],
  [
    gs1({ batch: '..' }),
    422,
    'data.batch must be valid GS1 data: AI (10) value .. cannot be a component of a',
  ],
  [gs1({ elements: { '17': '271301' } }), 422, 'data.elements.17 must be valid GS1 data: AI (17): The date'],
  [gs1({ elements: { x: '1' } }), 422, 'data.elements.x must be an application identifier'],
  [gs1({ elements: { '10': 1 } }), 400, 'data.elements.10 must be a string'],
  [gs1({ elements: ['10'] }), 400, 'data.elements must be'],
  [gs1({ domain: 'localhost' }), 422, 'data.domain must be the name of a host'],
  [gs1({ expiry: '301399' }), 422, 'data.expiry must be a day'],
  [gs1({ format: 'element-string' }), 422, 'data.format must be digital-link'],
  [{ dataType: 'gs1', data: '(01)00000000000000' }, 422, 'data must be a GS1 Digital Link such as'],
  [{ dataType: 'gs1', data: 'https://example.com/' }, 422, 'data must be a GS1 Digital Link'],
  [{ dataType: 'gs1', data: 'https://x.example/01/09506000134353' }, 422, 'data must be a GS1 Digital Link'],
  [{ dataType: 'gs1', data: '(01)09506000134353' }, 422, 'data must be a GS1 Digital Link such as'],
  [
    { dataType: 'gs1', data: '(01)\u000009506000134352' },
    422,
    'data must be a GS1 Digital Link or an element',
  ],
  [{ dataType: 'gs1', data: '(10)A1' }, 422, 'data must be a GS1 Digital Link such as'],
  [{ dataType: 'text', data: '' }, 422, 'data must have at least 1'],
  [{ dataType: 'text', data: 'x'.repeat(4097) }, 422, 'data must have at most 4096'],
  [{ dataType: 'text', data: { text: 'x' } }, 400, 'data must be a string'],
  [{ dataType: 'text', data: 'a\u0000b' }, 422, 'data must not contain control characters'],
  [
    { dataType: 'email', data: { to: 'a@b', body: 'ü'.repeat(1_000) } },
    422,
    'data must not make a payload of more than 4096',
  ],
];

const title = ([body, status, message]: Case): string =>
  `${JSON.stringify(body).slice(0, 70)} → ${status} ${message.slice(0, 50)}`;

const expectRefusal = (answer: { status: number; body: unknown }, [, status, message]: Case): void => {
  const { error } = errorBody.parse(answer.body);
  expect({ status: answer.status, error: error.slice(0, message.length) }).toEqual({
    status,
    error: message,
  });
};

describe('POST /api/qr/codes refuses, names the field, and stores nothing', () => {
  test.each([...shared, ...ofCreate, ...payloads].map((each) => [title(each), each] as const))(
    '%s',
    async (_, each) => {
      expectRefusal(await own.call('POST', '/api/qr/codes', { data: url, ...each[0] }), each);
    },
  );

  test('none of these is stored', async () => {
    const { pagination } = codeList.parse((await own.call('GET', '/api/qr/codes?limit=1')).body);
    expect(pagination.total).toBe(1);
  });
});

describe('PUT /api/qr/codes/{id} refuses, names the field, and changes nothing', () => {
  const ofUpdate: Case[] = [
    [{ password: '' }, 422, 'password must have at least 4'],
    [{ password: 5 }, 400, 'password must be a string'],
    [{ sources: [] }, 400, 'sources is not a known field; the sources of a code never change; accepted are'],
    [{ secure: [] }, 400, 'secure is not a known field'],
    [{ encryption: null }, 400, 'encryption is not a known field'],
    [{ expiry: 4e12 }, 400, 'expiry is not a known field; expiresAt is the new end'],
    [
      { dataType: 'text' },
      400,
      'dataType is not a known field; the dataType of a code never changes; accepted are',
    ],
    [{ data: 'x' }, 400, 'data is not a known field; destination is the new content of a code; accepted are'],
    [{ destination: { ssid: 'x' } }, 400, 'destination must be a string'],
    [{ destination: 'nowhere', name: 'changed' }, 422, 'destination must be an absolute'],
  ];

  test.each([...shared, ...ofUpdate].map((each) => [title(each), each] as const))('%s', async (_, each) => {
    expectRefusal(await own.call('PUT', `/api/qr/codes/${code.id}`, { name: 'changed', ...each[0] }), each);
  });

  test('none of these changes the code', async () => {
    expect((await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(code);
  });
});

test('one answer names the faults of several fields', async () => {
  const answer = await own.call('POST', '/api/qr/codes', {
    data: 'nowhere',
    secure: ['password'],
    preset: 'fancy',
    margin: 99,
  });
  expect(errorBody.parse(answer.body)).toMatchObject({
    error: 'password is required when secure includes password',
    details: [
      expect.stringMatching(/^preset must/),
      expect.stringMatching(/^margin must/),
      expect.stringMatching(/^data must/),
    ],
  });
});
