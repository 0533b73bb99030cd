/** Documentation of the GS1 resolver, `{qrHost}/01/{gtin}` and the paths below it, which the redirector serves. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { boundedText } from '#schemas/api/text.ts';
import { scanTag } from '../http/operation.ts';
import { bodiless, header, refusalOf, retryAfter } from './redirector-answers.ts';

const corsHeaders = {
  'Access-Control-Allow-Origin': header('`*`: pages of any origin may read the response'),
};
const headers = {
  ...corsHeaders,
  RateLimit: header(
    '`limit=60, remaining=59, reset=12`: the requests that are left, and the seconds until the minute ends',
  ),
  'RateLimit-Policy': header('`60;w=60`: requests from one address in a minute, whatever the response'),
};

const gtin = boundedText(14).meta({
  description: 'A GTIN of 8, 12, 13 or 14 digits with its check digit.',
  example: '09506000134352',
});
const batch = boundedText(20).meta({
  description: 'A batch or lot, AI (10), percent-encoded.',
  example: 'ABC1',
});
const serial = boundedText(20).meta({
  description: 'A serial number, AI (21), percent-encoded.',
  example: '12345',
});

const queryText = (description: string) => boundedText(2000).optional().meta({ description });
const query = z.object({
  linkType: queryText(
    'The link type: `gs1:pip` or a full IRI. `linkset` or `all` returns the list of all links. If ' +
      'repeated, the first type that has a link is used.',
  ),
  lang: queryText('A language that takes precedence over those of `Accept-Language`.'),
  context: queryText('Selects among links of one type.'),
});

const link = z.looseObject({
  href: z.string().meta({ description: 'The URL of the link.' }),
  title: z.string().meta({ description: 'The title of the link.' }),
});
const linkset = z.looseObject({
  linkset: z
    .array(
      z
        .looseObject({
          anchor: z.string().meta({ description: 'The Digital Link to which the links belong.' }),
        })
        .meta({ description: 'The links, by the IRI of their type.' }),
    )
    .meta({ description: 'One object for each level that has an entry, the most specific first.' }),
});
const linksetExample = {
  linkset: [
    {
      anchor: 'https://qr.example.com/01/09506000134352',
      itemDescription: 'Risotto rice',
      'https://ref.gs1.org/voc/pip': [
        { href: 'https://example.com/rice', title: 'Product information' } satisfies z.infer<typeof link>,
      ],
    },
  ],
};

const responsesOf = (errorSchema: z.ZodType): ZodOpenApiOperationObject['responses'] => ({
  200: {
    description: 'All links (RFC 9264), if `linkType` or `Accept: application/linkset+json` asks for them',
    headers,
    content: { 'application/linkset+json': { schema: linkset, example: linksetExample } },
  },
  307: {
    description: 'To the selected link, with the query of the request',
    headers: {
      ...headers,
      Location: header('The URL of the link'),
      Link: header('The URL of the list of all links'),
      'Cache-Control': header('`private, no-store`: every scan reaches the service'),
    },
  },
  ...refusalOf(
    errorSchema,
    'The path is not a valid GS1 Digital Link. The message uses the wording of GS1',
    'INVALID_REQUEST',
    'AI (01): The numeric check digit is incorrect',
    headers,
  ),
  ...refusalOf(
    errorSchema,
    'No level has an entry, or no entry has a link of this type',
    'NOT_FOUND',
    'There are no links at this GS1 Digital Link',
    headers,
  ),
  ...refusalOf(
    errorSchema,
    'Too many requests from one address',
    'RATE_LIMITED',
    'Too many requests from this address',
    { ...headers, ...retryAfter },
  ),
  ...refusalOf(
    errorSchema,
    'The links cannot be looked up, or the scan cannot be counted, at the moment',
    'UNAVAILABLE',
    'The links cannot be looked up at the moment',
    { ...headers, ...retryAfter },
  ),
});

const resolving =
  'Redirects to the matching link of the most specific level, and counts a scan of its entry. The link is ' +
  'the default one, unless `linkType`, `context`, `lang` or `Accept-Language` selects another. The other ' +
  'GS1 primary keys and all of their qualifiers are resolved in the same way (`/8004/…`, ' +
  '`/01/{gtin}/22/…/10/…/21/…`), and so are paths with an EPC (`/eh…`, `/ex…`).';
const verifying =
  ' If the GTIN has serialized batches, a serial number without an entry is verified, and answered as ' +
  '`/v/{itemId}/{signature}` is, unless the request asks for a link type or for all links.';

interface Level {
  /** The suffix of its operations' ids. */
  name: string;
  subject: string;
  description: string;
  path: z.ZodObject;
}

const levels: Record<string, Level> = {
  '/01/{gtin}': { name: 'Gtin', subject: 'a GTIN', description: resolving, path: z.object({ gtin }) },
  '/01/{gtin}/10/{batch}': {
    name: 'Batch',
    subject: 'a batch',
    description: resolving,
    path: z.object({ gtin, batch }),
  },
  '/01/{gtin}/21/{serial}': {
    name: 'Serial',
    subject: 'a serial number',
    description: resolving + verifying,
    path: z.object({ gtin, serial }),
  },
};

const description = z
  .object({
    name: z.string().meta({ description: 'The name of the resolver.' }),
    resolverRoot: z.string().meta({ description: 'The origin of its Digital Links.' }),
    supportedPrimaryKeys: z
      .array(z.string())
      .meta({ description: 'The application identifiers that are resolved.' }),
    linkTypeDefaultCanBeLinkset: z
      .boolean()
      .meta({ description: 'Whether a request without `linkType` may return all links.' }),
  })
  .meta({ description: 'A resolver description file.' });

/**
 * @param qrHost the origin of the redirector
 * @param errorSchema the body of every response that is not 2xx
 */
export const gs1Paths = (qrHost: string, errorSchema: z.ZodType): ZodOpenApiPathsObject => {
  const common = { tags: [scanTag], servers: [{ url: qrHost }], security: [] };
  const responses = responsesOf(errorSchema);
  const paths = Object.entries(levels).map(([template, { name, subject, path, ...docs }]) => {
    const asked = { ...common, requestParams: { path, query } };
    const get = { ...asked, ...docs, operationId: `resolve${name}`, summary: `Scan ${subject}`, responses };
    const head = {
      ...asked,
      operationId: `probe${name}`,
      summary: `Check where ${subject} leads`,
      description:
        'Returns the status and headers of GET, without a body. It is not counted as a scan, but counts ' +
        'against the rate limit.',
      responses: bodiless(responses),
    };
    return [template, { get, head }] as const;
  });
  return {
    ...Object.fromEntries(paths),
    '/.well-known/gs1resolver': {
      get: {
        ...common,
        operationId: 'describeResolver',
        summary: 'Get the GS1 resolver description file',
        description: 'Returns the resolver description file of the GS1-Conformant Resolver Standard.',
        responses: {
          200: {
            description: 'The description file',
            headers: corsHeaders,
            content: {
              'application/json': {
                schema: description,
                example: {
                  name: 'Waymark',
                  resolverRoot: qrHost,
                  supportedPrimaryKeys: ['01', '8004'],
                  linkTypeDefaultCanBeLinkset: false,
                },
              },
            },
          },
        },
      },
    },
  };
};
