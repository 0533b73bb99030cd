/** Descriptions of routing rules, campaigns, deep links and sources, for integrators: Markdown. */

const byPosition = (word: string) =>
  `By it analytics are kept; unique in the list. Default: by position, such as \`${word}-1\`.`;

export const sourceTexts = {
  id: 'The value in `?s=`: letters, digits and `. _ ~ -`; unique in the list.',
  name: 'A label for people. Default: the `id`.',
} as const;

export const ruleTexts = {
  id: byPosition('rule'),
  condition:
    'What a scan has to be: all keys that are given must match, each by one of its values. At least one is given.',
  destination: 'Where matching scans go: an absolute http or https URL.',
} as const;

export const conditionTexts = {
  country: 'Countries of the scanner, by ISO 3166-1 alpha-2, in upper or lower case.',
  device: 'Kinds of device.',
  os: 'Operating systems; `other` is any that is not listed.',
} as const;

export const campaignTexts = {
  status: '`paused`: scans go to the destination of the code.',
  variants: 'Where scans go; at least one has a weight that is not 0.',
} as const;

export const variantTexts = {
  id: byPosition('variant'),
  name: 'A label for people. Default: the `id`.',
  destination: 'Where scans of this variant go: an absolute http or https URL.',
  weight: 'Its share of the scans, relative to the weights of the others; 0 gets none.',
} as const;

export const deepLinkTexts = {
  ios: 'The app on iPhones and iPads.',
  android: 'The app on Android.',
} as const;

const appUrl =
  'What the app opens: an https URL (a universal or app link), or one of the app’s own scheme, such as `myapp://open`.';

export const iosTexts = {
  url: appUrl,
  appStoreUrl: 'Where scanners without the app go: an https URL. Default: the destination of the code.',
  appId: 'Team and bundle id, such as `ABCDE12345.com.example.app`: what `apple-app-site-association` names.',
} as const;

export const androidTexts = {
  url: appUrl,
  playStoreUrl: 'Where scanners without the app go: an https URL. Default: the destination of the code.',
  package:
    'The package name, such as `com.example.app`: what `assetlinks.json` names, together with the certificates.',
  sha256CertFingerprints:
    'SHA-256 of the certificates that the app is signed with: 32 pairs of hexadecimal digits with colons between. Only together with `package`.',
} as const;
