/** Descriptions of the fields in hosted pages' common blocks, for integrators: Markdown. */

const unique = (list: string, from: string) =>
  `Unique in the ${list}. Up to 64 letters, digits, hyphens and underscores. Made of ${from} where it is left out.`;

export const entryIdText = unique;

export const buttonTexts = {
  id: unique('list', 'the label'),
  label: 'What the button says.',
  destination:
    'Where it leads: a URL of the scheme `http:`, `https:`, `mailto:` or `tel:`, without white space and without a user name and password.',
  hint: 'A smaller line below the label.',
} as const;

export const socialTexts = {
  id: unique('list', 'the platform'),
  platform: 'Whose sign it has. `custom` has its own `label` and, if given, its own `iconUrl`.',
  url: 'An absolute http or https URL; for `email` also an address, or a `mailto:` URL.',
  label:
    'What a screen reader says, and what is shown for `custom`, where it is required. Default: the name of the platform.',
  iconUrl: 'Of `custom` only: an absolute http or https URL of its picture.',
} as const;

const colour = (what: string) => `The colour of ${what}, \`#rrggbb\`. A blank one is ignored.`;

export const themeTexts = {
  background: colour('the page'),
  text: colour('its text; where it could not be read, a darker or lighter one of the same hue is used'),
  accent: colour('its buttons and links'),
} as const;

/** The lists and objects themselves. */
export const blockTexts = {
  buttons: 'Up to 12, in their order. `null` empties the list.',
  socials: 'Up to 12 links to profiles, in their order. `null` empties the list.',
  theme: 'The colours of the page. Those that are not given follow the visitor’s light or dark scheme.',
} as const;

/** Fields of every hosted page. */
export const hostedTexts = {
  name: 'A name for people; visitors see it where the page has no headline.',
  status: '`paused` shows visitors a page that says so, with the status 404.',
  workspaceId: 'The id of the workspace that it belongs to.',
  createdAt: 'When it was made: milliseconds since 1970.',
  updatedAt: 'When it was last changed: milliseconds since 1970. It grows with each change.',
} as const;

export const viewCountText =
  'How often people have seen it. Crawlers, link previews and `HEAD` do not count; a view is counted within a second or two.';

const picture = (what: string) => `An absolute http or https URL of ${what}.`;

export const pictureTexts = {
  heroImageUrl: picture('the large picture at the top'),
  avatarUrl: picture('a round picture, such as a logo'),
  logoUrl: picture('the logo above the form'),
  imageUrl: picture('a picture of it'),
} as const;
