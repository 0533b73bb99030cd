/** Custom domains of a workspace, as they are sent and shown. */
import { z } from 'zod';
import { aliasCases } from '../aliases.ts';
import { servedSegments } from '../served-paths.ts';
import { brandingBody, brandingFields } from './branding.ts';
import { describedLike } from './described-like.ts';
import { boundedText, checkedText, ownText, switchParameter } from './text.ts';
import { asciiWebUrl } from './web-address.ts';

export const domainsMax = 20;
/** Of the name as written: its ASCII form may be longer, and is limited too. */
const nameLengthMax = 253;
const pathLengthMax = 34;
const urlLengthMax = 2000;

export const domainStatuses = ['pending', 'verified', 'missing', 'off'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** The served segments in the form of a path, except `r`, which is the default. Numbers are GS1 Digital Links. */
const takenSegments: ReadonlySet<string> = new Set(
  servedSegments.filter((segment) => /^[a-z]+$/.test(segment) && segment !== 'r'),
);

const whyNoPath = (path: string): string | undefined => {
  if (/^\/[a-z0-9][a-z0-9-]*$/.test(path)) return `must end with a slash: ${path}/`;
  const segment = /^\/(?:([a-z0-9][a-z0-9-]*)\/)?$/.exec(path);
  if (!segment) return 'must be / or one segment of lower-case letters, digits and hyphens, such as /go/';
  const [, name = ''] = segment;
  return takenSegments.has(name) || /^\d+$/.test(name)
    ? `must not be one that is taken: ${[...takenSegments].map((each) => `/${each}/`).join(', ')} and those of digits alone`
    : undefined;
};

const path = checkedText(pathLengthMax, whyNoPath);

const url = asciiWebUrl(urlLengthMax);

const settings = {
  path: path
    .optional()
    .describe(
      'The part of a short URL before the id of a code: `/`, `/r/` or one segment such as `/go/`. `/r/` ' +
        'always works too. A path that codes were printed with cannot be changed.',
    ),
  rootRedirect: url
    .nullable()
    .optional()
    .describe('The URL to which `/` of the domain redirects, with 302. `null`: `/` is 404.'),
  notFoundUrl: url
    .nullable()
    .optional()
    .describe(
      'The URL to which people are redirected, with 302, from paths of the domain that lead nowhere: an unknown ' +
        'code, an unknown alias, any other path. Programs get 404. Such a request is not counted. `null`: a page ' +
        'says that there is nothing.',
    ),
  expiredUrl: url
    .nullable()
    .optional()
    .describe(
      'The URL to which people are redirected, with 302, if they scan a code on the domain that is switched ' +
        'off, has expired or has reached its scan cap. An `expiredUrl` of the code and its message for it come first. ' +
        'Programs get 410. `null`: a page says it.',
    ),
  aliasCase: z
    .enum(aliasCases)
    .optional()
    .describe(
      '`fold`: aliases that differ by case only are the same, and `/Summer` leads where `/summer` does. `exact`: ' +
        'they are different. `fold` is refused while the domain has aliases that differ by case only. Default: ' +
        '`fold`.',
    ),
  branding: brandingBody
    .nullable()
    .optional()
    .describe(
      'What pages on the domain show of you, in place of the branding of the workspace (`PUT /api/branding`), ' +
        'with the same fields. It is replaced as a whole. `null`: the branding of the workspace.',
    ),
};

export const createDomainBody = z.strictObject({
  domain: boundedText(nameLengthMax)
    .min(1)
    .describe('A host name such as `go.example.com`, in any case and script. You must control its DNS.'),
  ...settings,
});
export type CreateDomainBody = z.output<typeof createDomainBody>;

export const updateDomainBody = z.strictObject({
  ...settings,
  primary: z
    .boolean()
    .optional()
    .describe(
      'Whether new codes are printed with the domain. At most one domain of a workspace is primary. ' +
        'Existing codes do not change.',
    ),
});
export type UpdateDomainBody = z.output<typeof updateDomainBody>;

export const deleteDomainQuery = z.object({
  force: switchParameter()
    .default(false)
    .describe('Whether to delete a domain that codes may have been printed with.'),
});
export type DeleteDomainQuery = z.output<typeof deleteDomainQuery>;

const instant = z.iso.datetime().nullable();

const dnsRecord = z.object({
  type: z.literal('TXT').describe('The type of the record.'),
  name: ownText().describe('The name of the record.'),
  value: ownText().describe('The value of the record. There may be other records beside it.'),
});

/** Times are ISO 8601. */
export const domainObject = z.object(
  describedLike(updateDomainBody.shape, {
    id: ownText().describe('The id of the domain.'),
    domain: ownText().describe('The name in ASCII and lower case.'),
    status: z
      .enum(domainStatuses)
      .describe(
        '`pending`: the TXT record has not been seen yet. `verified`: the domain is yours, and codes are ' +
          'served on it. `missing`: the record is gone, but codes are still served. `off`: the record was ' +
          'gone for 30 days, and nothing is served any more.',
      ),
    primary: z.boolean(),
    path: ownText(),
    rootRedirect: ownText().nullable(),
    notFoundUrl: ownText().nullable(),
    expiredUrl: ownText().nullable(),
    aliasCase: z.enum(aliasCases),
    branding: brandingFields.nullable(),
    dns: dnsRecord.describe('The TXT record that proves that the domain is yours. Keep it in place.'),
    target: ownText().describe(
      'The host to which the CNAME record, or the A and AAAA records, of the domain must lead.',
    ),
    verifiedAt: instant.describe('When the record was first seen, or seen again after it was missing.'),
    lastCheckedAt: instant.describe('When the record was last checked.'),
    lastCheckError: ownText()
      .nullable()
      .describe(
        'Why the last check did not find the record, and whether checks have stopped. Null if it was found.',
      ),
    nextCheckAt: instant.describe(
      'When the record is checked next. Null if checks have stopped because it was not found for 14 days: ' +
        '`verify` starts them again.',
    ),
    missingSince: instant.describe('The time since which the domain counts as missing.'),
    switchOffAt: instant.describe('When the domain will be switched off, unless the record comes back.'),
    createdAt: z.iso.datetime().describe('When the domain was added.'),
    updatedAt: z.iso.datetime().describe('When the domain or its status was last changed.'),
  }),
);
export type DomainObject = z.output<typeof domainObject>;

export const domainList = z.object({
  domains: z.array(domainObject).describe('All domains of the workspace, newest first.'),
});
