/** Entries of the GS1 resolver: the links at a GS1 Digital Link. */
import { z } from 'zod';
import { describedLike } from './described-like.ts';
import { asciiDestination } from './destination.ts';
import { visibleLabel } from './hosted-fields.ts';
import { boundedArray, boundedText, ownText, requiredLabel, wholeNumberParameter } from './text.ts';
import { whyNoWebUrl } from './web-address.ts';

export const gs1PathLengthMax = 500;
export const gs1LinksMax = 50;
export const gs1EntriesPerKeyMax = 200;
/** For all entries of a key, as stored: redirectors hold them all at once. */
export const gs1KeyBytesMax = 256 * 2 ** 10;
const hrefLengthMax = 2000;
const titleLengthMax = 300;
const languagesMax = 20;
const contextsMax = 10;

/** The GS1 Web Vocabulary, https://ref.gs1.org/voc/. */
export const gs1Vocabulary = 'https://ref.gs1.org/voc/';

const linkTypeName =
  /^(?:gs1:|https?:\/\/(?:ref\.gs1\.org|(?:www\.)?gs1\.org)\/voc\/)([A-Za-z][A-Za-z0-9]{1,60})$/;
/** Names that select links, and are not link types. */
const reservedNames = new Set(['defaultLink', 'defaultLinkMulti', 'linkset', 'all']);

const whyNoLinkType = (text: string): string | undefined => {
  const name = linkTypeName.exec(text)?.[1];
  if (name === undefined)
    return `must be a link type of the GS1 Web Vocabulary, such as gs1:pip or ${gs1Vocabulary}pip`;
  if (reservedNames.has(name))
    return 'must say what the link leads to; which link is the default says `default`';
  return undefined;
};

const refined = (lengthMax: number, why: (text: string) => string | undefined) =>
  boundedText(lengthMax).superRefine((text, context) => {
    const message = why(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message, continue: false });
  });

const linkType = refined(100, whyNoLinkType).transform(
  (text) => gs1Vocabulary + linkTypeName.exec(text)![1]!,
);

const whyNoHref = (text: string): string | undefined => {
  const why = whyNoWebUrl(text);
  if (why !== undefined) return why;
  return asciiDestination(text).length > 2 * hrefLengthMax
    ? 'is too long once it is percent-encoded'
    : undefined;
};

const href = refined(hrefLengthMax, whyNoHref).transform(asciiDestination);

const language = boundedText(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a language tag (BCP 47) such as en or pt-BR')
  .transform((tag) => tag.toLowerCase());

const mediaType = boundedText(100)
  .regex(/^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/, 'must be a media type such as text/html')
  .transform((type) => type.toLowerCase());

/** A text, or a list of texts. */
const contexts = z.preprocess(
  (given) => (typeof given === 'string' ? [given] : given),
  boundedArray(requiredLabel(60), { min: 1, max: contextsMax }),
);

const linkBody = z.strictObject({
  linkType: linkType.describe(
    'What the link leads to: a link type of the GS1 Web Vocabulary, such as `gs1:pip`, or its full IRI.',
  ),
  href: href.describe('An absolute http or https URL. The query of a scan is passed on to it.'),
  title: visibleLabel(titleLengthMax).describe('The text that people read in lists of links.'),
  hreflang: boundedArray(language, { min: 1, max: languagesMax })
    .optional()
    .describe('The languages of the target (BCP 47). If omitted, the target is for all languages.'),
  type: mediaType.optional().describe('The media type of the target.'),
  context: contexts
    .optional()
    .describe('The audience of the link, in your own words: one text or several. `?context=` selects it.'),
  default: z
    .boolean()
    .optional()
    .describe(
      'Whether the entry leads here if a request asks for nothing else. Default: the first link is the ' +
        'default.',
    ),
});

export const gs1EntryBody = z.strictObject({
  path: boundedText(gs1PathLengthMax)
    .min(1)
    .describe(
      'A GS1 Digital Link without its host: a primary key with its qualifiers, such as ' +
        '`/01/09506000134352/10/ABC`. It is stored in its canonical form. A path has at most one entry.',
    ),
  itemDescription: visibleLabel(500).describe('What the key identifies, for lists of links.'),
  links: boundedArray(linkBody, { min: 1, max: gs1LinksMax })
    .superRefine((links, context) => {
      const defaults = links.flatMap((link, at) => (link?.default ? [at] : []));
      if (defaults.length > 1)
        context.addIssue({
          code: 'custom',
          path: [defaults[1]!, 'default'],
          message: `must not be true twice: links[${defaults[0]}] is the default`,
        });
    })
    .describe('The links. At most one is the default.'),
});
export type Gs1EntryBody = z.output<typeof gs1EntryBody>;

export const gs1EntryListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The largest number of entries in the page.'),
  cursor: boundedText(200).optional().describe('The `nextCursor` of the previous page.'),
  key: boundedText(gs1PathLengthMax)
    .optional()
    .describe('Only entries of this primary key, such as `/01/09506000134352`.'),
});

const linkObject = z.object(
  describedLike(linkBody.shape, {
    linkType: ownText(),
    href: ownText(),
    title: ownText(),
    hreflang: z.array(ownText()).optional(),
    type: ownText().optional(),
    context: z.array(ownText()).optional(),
    default: z.literal(true).optional(),
  }),
);

export const gs1EntryObject = z.object(
  describedLike(gs1EntryBody.shape, {
    entryId: ownText().describe('The id of the entry.'),
    path: ownText(),
    url: ownText().describe('The Digital Link that redirectors answer.'),
    itemDescription: ownText(),
    links: z.array(linkObject),
    scanCount: z
      .number()
      .int()
      .describe('The number of scans that were led to a link of this entry, without scans by bots.'),
    createdAt: z.number().int().describe('When it was created, in milliseconds since 1970.'),
    updatedAt: z.number().int().describe('When it was last changed, in milliseconds since 1970.'),
    stale: z
      .array(ownText())
      .optional()
      .describe('Contains `scanCount` while it cannot be read. `scanCount` is then the last known value.'),
  }),
);
export type Gs1EntryObject = z.output<typeof gs1EntryObject>;

export const gs1EntryList = z.object({
  entries: z.array(gs1EntryObject).describe('A page of entries, newest first.'),
  nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
});
