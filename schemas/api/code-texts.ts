/** Descriptions of the fields of a code, for integrators: Markdown. */

export const codeFieldTexts = {
  data: [
    'Where the code leads: for `url` an absolute http or https URL. For the other data types a string that is the ready',
    'payload (`mailto:…`, `WIFI:…`, `BEGIN:VCARD…`, or a bare address or number), or an object from which it is made:',
    '',
    '- `wifi`: `{ssid, password, encryption, hidden?}`, encryption one of `WPA`, `WEP`, `nopass`',
    '- `email`: `{to, subject?, body?}`',
    '- `sms`: `{phone, message?}`',
    '- `phone`: `{phone}`',
    '- `geo`: `{latitude, longitude}` in degrees',
    '- `vcard`: `{firstName, lastName, phone, email, organization, title, website, address}`, at least one name',
    '- `mecard`: `{name, phone?, email?, url?, address?, note?}`',
    '- `vcalendar`: `{title, start, end, location?, description?, timeZone?}`, times in ISO 8601, days as `2030-01-31`',
    '- `gs1`: `{gtin, batch?, serial?, expiry?, elements?, format?, domain?}`, where `elements` has values by any application identifier,',
    '  such as `{"01": "09506000134352", "3103": "000195"}`. It becomes a GS1 Digital Link at `domain` (id.gs1.org), or in a static code',
    '  an element string by `format: "element-string"`, whose symbol begins with FNC1. As a string: a Digital Link, or an element string',
    '  as `(01)09506000134352(10)A1` or with FNC1 as `^` or U+001D; that of a dynamic code becomes a Digital Link. All is checked by the',
    '  rules of GS1: lengths, characters, check digits, codes, and which elements need or exclude one another',
  ].join('\n'),
  type: '`static`: rendered, and not stored. `dynamic`: stored, and answered as `POST /api/qr/codes` does.',
  destination:
    'Where scans go from now on. The code’s data type decides which values are accepted, as for `data` when it was created.',
  notStatic: 'Only for dynamic codes: must not be given.',
  notPublic: 'Only with an API key: must not be given.',
  status: '`inactive` switches the code off: scans get a page that says so. `active` switches it on again.',
  dataType:
    'What the code holds. All types but `url` and `gs1` are shown on a page that does on a phone what the type means.',
  name: 'A label for people. `null` and `""` clear it.',
  sources: 'Attribution tags: a scan of `redirectUrl?s={id}` is counted for that source.',
  secure: 'Each of `password`, `encrypt` and `expire` needs its field: `password`, `encryption`, `expiry`.',
  password: 'Scanners are asked for it. Stored as an argon2id hash.',
  newPassword: 'Sets or replaces the password; `null` removes it.',
  encryption:
    'Seals the payload before it is stored: with a passphrase (`AES`) or for a public RSA key in PEM, 2048 bits or more ' +
    '(`RSA`). It is opened in the scanner’s browser; neither the payload nor the passphrase is kept here. An encrypted ' +
    'code cannot be updated, and has no routing rules, campaign or deep links.',
  expiry: 'Milliseconds since 1970, in the future; from then on scans answer 410.',
  expiresAt:
    'From then on scans answer 410: ISO 8601 with its offset, or milliseconds since 1970; in the future. `null` and `""` ' +
    'remove it.',
  maxScans:
    'Scans after so many answer 410. `null` removes the cap; changing the number keeps the count so far. Crawlers and link ' +
    'previews do not count.',
  routingRules:
    'Up to 50. The first whose condition matches decides: `country` (ISO 3166-1 alpha-2), `device` and `os`, all of those ' +
    'that are given. An `id` that is left out is filled in by position. `[]` and `null` clear them.',
  campaign:
    'While its status is `active`, each scan that no rule matches goes to one variant, drawn by weight. `null` clears it.',
  deepLinkConfig:
    'Apps to open on iOS and Android. An https `url` is redirected to (a universal or app link); another scheme is tried ' +
    'from a page that falls back to the store, then to the destination. `appId`, and `package` with ' +
    '`sha256CertFingerprints`, are listed under `/.well-known/` where the operator of the host allows it. `null` clears it.',
} as const;
