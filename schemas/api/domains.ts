/** Custom domains of a workspace, as they are sent and shown. */
import { z } from 'zod';
import { described } from './described.ts';
import { asciiDestination } from './destination.ts';
import { hexColor } from './style.ts';
import { boundedText, label, multilineText, ownText, switchParameter } from './text.ts';
import { whyNoWebUrl } from './web-address.ts';

export const domainsMax = 20;
/** Of the name as written: its ASCII form may be longer, and is limited too. */
const nameLengthMax = 253;
const pathLengthMax = 34;
const urlLengthMax = 2000;
const headlineLengthMax = 120;
const bodyLengthMax = 1000;

export const domainStatuses = ['pending', 'verified', 'missing', 'off'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** The first segments of paths that redirectors serve themselves. Numbers are GS1 Digital Links. */
const takenSegments = new Set(['api', 'docs', 'f', 'i', 'internal', 'm', 'openapi', 'p', 'v']);

const whyNoPath = (path: string): string | undefined => {
  if (/^\/[a-z0-9][a-z0-9-]*$/.test(path)) return `must end with a slash: ${path}/`;
  const segment = /^\/(?:([a-z0-9][a-z0-9-]*)\/)?$/.exec(path);
  if (!segment) return 'must be / or one segment of lower-case letters, digits and hyphens, such as /go/';
  const [, name = ''] = segment;
  return takenSegments.has(name) || /^\d+$/.test(name)
    ? `must not be one that is taken: ${[...takenSegments].map((each) => `/${each}/`).join(', ')} and those of digits alone`
    : undefined;
};

const checkedText = (lengthMax: number, why: (text: string) => string | undefined) =>
  boundedText(lengthMax).superRefine((text, context) => {
    const message = why(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message, continue: false });
  });

const path = checkedText(pathLengthMax, whyNoPath);

const whyNoUrl = (text: string): string | undefined => {
  const why = whyNoWebUrl(text);
  if (why !== undefined) return why;
  return asciiDestination(text).length > 2 * urlLengthMax
    ? 'is too long once it is percent-encoded'
    : undefined;
};

const url = checkedText(urlLengthMax, whyNoUrl).transform(asciiDestination);
const secureUrl = checkedText(urlLengthMax, (text) =>
  text.startsWith('https://') ? whyNoUrl(text) : 'must begin with https://: the page does',
).transform(asciiDestination);

const themeTexts = {
  background: 'The colour behind everything.',
  text: 'The colour of the text.',
  accent: 'The colour of the link.',
};

const notFoundTexts = {
  headline: 'In place of the usual one.',
  body: 'What is below the headline.',
  logoUrl: 'A picture above it, by https.',
  homeUrl: 'Where a link below it leads: your own site.',
  theme: 'Colours, each `#rrggbb`.',
};

const notFoundBody = z.strictObject(
  described(
    {
      headline: label(headlineLengthMax).min(1).optional(),
      body: multilineText(bodyLengthMax).min(1).optional(),
      logoUrl: secureUrl.optional(),
      homeUrl: url.optional(),
      theme: z
        .strictObject(
          described(
            { background: hexColor.optional(), text: hexColor.optional(), accent: hexColor.optional() },
            themeTexts,
          ),
        )
        .optional(),
    },
    notFoundTexts,
  ),
);

const settings = {
  path: path.optional(),
  rootRedirect: url.nullable().optional(),
  notFound: notFoundBody.nullable().optional(),
};

const settingTexts = {
  path:
    'What is before the id of a code in its short URL: `/`, `/r/` or one segment such as `/go/`. `/r/` works beside it in any case. ' +
    'A path that codes were printed with stays.',
  rootRedirect: 'Where `/` of the domain leads, with 302. `null`: nowhere, it is 404.',
  notFound: 'What people see on the domain where there is nothing. `null`: the usual page.',
};

const primaryText =
  'Whether codes made from now on are printed with the domain. One domain of a workspace is; no code that exists changes.';

export const createDomainBody = z.strictObject(
  described(
    { domain: boundedText(nameLengthMax).min(1), ...settings },
    {
      domain: 'A host name such as `go.example.com`, in any case and script, which you have in the DNS.',
      ...settingTexts,
    },
  ),
);
export type CreateDomainBody = z.output<typeof createDomainBody>;

export const updateDomainBody = z.strictObject(
  described({ ...settings, primary: z.boolean().optional() }, { ...settingTexts, primary: primaryText }),
);
export type UpdateDomainBody = z.output<typeof updateDomainBody>;

export const deleteDomainQuery = z.object(
  described(
    { force: switchParameter().default(false) },
    { force: 'Whether a domain is deleted that codes may have been printed with.' },
  ),
);
export type DeleteDomainQuery = z.output<typeof deleteDomainQuery>;

const shown = ownText().optional();

export const notFoundObject = z.object(
  described(
    {
      headline: shown,
      body: shown,
      logoUrl: shown,
      homeUrl: shown,
      theme: z.object(described({ background: shown, text: shown, accent: shown }, themeTexts)).optional(),
    },
    notFoundTexts,
  ),
);
export type NotFoundObject = z.output<typeof notFoundObject>;

const instant = ownText().nullable();

/** Times are ISO 8601. */
export const domainObject = z.object(
  described(
    {
      id: ownText(),
      domain: ownText(),
      status: z.enum(domainStatuses),
      primary: z.boolean(),
      path: ownText(),
      rootRedirect: ownText().nullable(),
      notFound: notFoundObject.nullable(),
      dns: z.object(
        described(
          { type: z.literal('TXT'), name: ownText(), value: ownText() },
          {
            type: 'The type of the record.',
            name: 'Where the record belongs.',
            value: 'What it must say. Other records may be beside it.',
          },
        ),
      ),
      target: ownText(),
      verifiedAt: instant,
      lastCheckedAt: instant,
      lastCheckError: ownText().nullable(),
      nextCheckAt: instant,
      missingSince: instant,
      switchOffAt: instant,
      createdAt: ownText(),
      updatedAt: ownText(),
    },
    {
      id: 'The id of the domain.',
      domain: 'The name in ASCII and lower case.',
      status:
        '`pending`: its TXT record has not been seen yet. `verified`: it is yours, and codes are served on it. `missing`: the record ' +
        'is gone; codes are still served. `off`: it was gone for 30 days, and nothing is served any more.',
      primary: primaryText,
      path: settingTexts.path,
      rootRedirect: settingTexts.rootRedirect,
      notFound: settingTexts.notFound,
      dns: 'The TXT record that proves that the domain is yours. It must stay.',
      target: 'The host that the CNAME, or the A and AAAA records, of the domain must lead to.',
      verifiedAt: 'When the record was first seen, or seen again after it was missing.',
      lastCheckedAt: 'When the record was last looked for.',
      lastCheckError:
        'Why the last look did not find it, and whether it is looked for no more; null where it did.',
      nextCheckAt:
        'When the record is looked for next. Null where it will not be, as it was not found for 14 days: `verify` begins anew.',
      missingSince: 'Since when the domain counts as missing.',
      switchOffAt: 'When it will be switched off, unless the record comes back.',
      createdAt: 'When it was added.',
      updatedAt: 'When it, or its status, was last changed.',
    },
  ),
);
export type DomainObject = z.output<typeof domainObject>;

export const domainList = z.object(
  described({ domains: z.array(domainObject) }, { domains: 'All domains of the workspace, newest first.' }),
);
