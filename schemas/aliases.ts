/**
 * Aliases: further short paths of a code, such as `https://go.example.com/summer-sale`. Both planes read them by these
 * rules: the control plane when one is made, the redirector when one is scanned.
 */
import { isDigitalLinkPath, servedSegments } from './served-paths.ts';

/** In UTF-16 units, of the normal form. */
export const aliasLengthMax = 64;
/** On the shared host, where the short ones would be taken in a day. */
export const sharedAliasLengthMin = 3;
/** Of one code. */
export const aliasesPerCodeMax = 20;

export const aliasCases = ['fold', 'exact'] as const;
export type AliasCase = (typeof aliasCases)[number];

/** Words that visitors of any site would take for the site's own, or that programs ask for. */
const files = [
  'ads.txt',
  'favicon.ico',
  'humans.txt',
  'index.html',
  'robots.txt',
  'security.txt',
  'sitemap.xml',
];
const operatorWords = [
  ...[
    'about',
    'abuse',
    'account',
    'accounts',
    'admin',
    'administrator',
    'app',
    'assets',
    'auth',
    'billing',
    'blog',
  ],
  ...[
    'cdn',
    'contact',
    'dashboard',
    'developers',
    'health',
    'healthz',
    'help',
    'home',
    'imprint',
    'legal',
    'livez',
  ],
  ...[
    'login',
    'logout',
    'mail',
    'metrics',
    'oauth',
    'operator',
    'password',
    'privacy',
    'readyz',
    'register',
    'root',
  ],
  ...[
    'security',
    'settings',
    'signin',
    'signout',
    'signup',
    'sso',
    'static',
    'status',
    'support',
    'system',
    'terms',
  ],
  ...['user', 'users', 'verify', 'waymark', 'webhook', 'webhooks', 'workspace', 'workspaces', 'www'],
];

const reservedEverywhere: ReadonlySet<string> = new Set([...servedSegments, ...files]);
const reservedOnSharedHost: ReadonlySet<string> = new Set([...reservedEverywhere, ...operatorWords]);

/** Letters, digits, hyphens and underscores of any script; a mark follows its letter. */
const domainShape = /^(?!\p{M})[\p{L}\p{M}\p{Nd}_-]+$/u;
const sharedShape = /^[A-Za-z0-9_-]+$/;
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Nine letters and digits in any case: somebody who types such an alias in another case would ask for the code with this
 * id. All ids are of these, see shared/ids.ts.
 */
const idShape = /^[1-9A-Za-z]{9}$/;

/** The recommended scripts of UAX 31, each of which may be written alone, with the characters that all of them share … */
const scripts = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek'],
  ...[
    'Gujarati',
    'Gurmukhi',
    'Han',
    'Hangul',
    'Hebrew',
    'Hiragana',
    'Kannada',
    'Katakana',
    'Khmer',
    'Lao',
    'Latin',
  ],
  ...['Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
].map((script) => [script]);
/** … and the mixes of UTS 39, section 5.2, "highly restrictive". */
const scriptMixes = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const writtenIn = [...scripts, ...scriptMixes].map((mix) => {
  const all = ['Common', 'Inherited', ...mix];
  return new RegExp(`^[${all.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]+$`, 'u');
});

/** The form in which an alias is stored and shown: NFC. */
export const normalAlias = (text: string): string => text.normalize('NFC');

/**
 * What an alias is looked up by: upper and lower case are the same, and so are letters that become the same when they are
 * written in capitals.
 */
export const slugOf = (alias: string): string => alias.toUpperCase().toLowerCase().normalize('NFC');

/** Why an alias is refused, by kind. */
export type AliasFault = { reason: 'invalid' | 'reserved'; message: string };

const invalid = (message: string): AliasFault => ({ reason: 'invalid', message });

const whyNoShape = (alias: string, isShared: boolean): AliasFault | undefined => {
  if (alias.length > aliasLengthMax) return invalid(`must have at most ${aliasLengthMax} characters`);
  if (isShared) {
    if (!sharedShape.test(alias))
      return invalid('must consist of letters A to Z, digits, hyphens and underscores on the shared host');
    return alias.length < sharedAliasLengthMin
      ? invalid(`must have at least ${sharedAliasLengthMin} characters on the shared host`)
      : undefined;
  }
  if (!domainShape.test(alias) || invisible.test(alias))
    return invalid('must consist of letters, digits, hyphens and underscores');
  if (alias.normalize('NFKC') !== alias)
    return invalid('must not have compatibility characters, such as full-width letters and ligatures');
  return writtenIn.some((script) => script.test(alias))
    ? undefined
    : invalid('must be written in one script: letters of several look alike');
};

/**
 * @param alias in its normal form
 * @param isShared whether it is for the shared host; otherwise for a workspace's domain
 * @returns undefined for an alias that a code may have
 */
export const whyNoAlias = (alias: string, isShared: boolean): AliasFault | undefined => {
  const slug = slugOf(alias);
  if ((isShared ? reservedOnSharedHost : reservedEverywhere).has(slug))
    return { reason: 'reserved', message: 'must not be a word that the service uses itself' };
  const fault = whyNoShape(alias, isShared);
  if (fault) return fault;
  // On the shared host an alias is below /r/.
  const isTaken = !isShared && (isDigitalLinkPath(`/${alias}`) || isDigitalLinkPath(`/${slug}`));
  if (/^\d+$/.test(slug) || isTaken)
    return { reason: 'reserved', message: 'must not have the form of a GS1 Digital Link' };
  return idShape.test(slug)
    ? { reason: 'reserved', message: 'must not have the form of an id: nine letters and digits' }
    : undefined;
};

/**
 * The alias that a path segment asks for.
 * @param segment percent-encoded, as in a request
 * @returns its normal form; undefined if no alias has this form
 */
export const aliasIn = (segment: string, isShared: boolean): string | undefined => {
  // Nine characters for a letter of three bytes.
  if (segment.length > 9 * aliasLengthMax) return undefined;
  let text = segment;
  try {
    if (segment.includes('%')) text = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  const alias = normalAlias(text);
  if (alias.length > aliasLengthMax) return undefined;
  return (isShared ? sharedShape : domainShape).test(alias) ? alias : undefined;
};

/** Where aliases are unique: the shared host, or a domain of a workspace. @param domain null: the shared host */
export const aliasSpace = (workspaceId: string, domain: string | null): string =>
  domain === null ? '' : `${workspaceId}/${domain}`;
