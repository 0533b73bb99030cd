/** Documentation of the GS1 resolver, `{qrHost}/01/{gtin}` and the paths below it, which the redirector serves. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { boundedText } from '#schemas/api/text.ts';
import { scanTag } from '../http/operation.ts';
import { bodiless, header, refusalOf, retryAfter } from './redirector-answers.ts';

const corsHeaders = {
  'Access-Control-Allow-Origin': header('`*`: pages of every origin may read every answer'),
};
const headers = {
  ...corsHeaders,
  RateLimit: header('`limit=60, remaining=59, reset=12`: what is left of the minute, and seconds to its end'),
  'RateLimit-Policy': header('`60;w=60`: requests of one address in a minute, whatever they are answered'),
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
    'The type of link, `gs1:pip` or a whole IRI; `linkset` or `all` for the list of all links. It may be repeated: the first that ' +
      'there is answers.',
  ),
  lang: queryText('A language that goes before those of `Accept-Language`.'),
  context: queryText('Chooses among links of one type.'),
});

const link = z.looseObject({
  href: z.string().meta({ description: 'Where the link leads.' }),
  title: z.string().meta({ description: 'What is there.' }),
});
const linkset = z.looseObject({
  linkset: z
    .array(
      z
        .looseObject({ anchor: z.string().meta({ description: 'The Digital Link that has the links.' }) })
        .meta({ description: 'Links by the IRI of their type.' }),
    )
    .meta({ description: 'One for each level that has an entry, the most specific first.' }),
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
    description:
      'All links (RFC 9264), where they are asked for by `linkType` or `Accept: application/linkset+json`',
    headers,
    content: { 'application/linkset+json': { schema: linkset, example: linksetExample } },
  },
  307: {
    description: 'To the link that was chosen, with the query of the request',
    headers: {
      ...headers,
      Location: header('Where the link leads'),
      Link: header('Where the list of all links is'),
      'Cache-Control': header('`private, no-store`: every scan is asked for'),
    },
  },
  ...refusalOf(
    errorSchema,
    'The path is no valid GS1 Digital Link',
    'INVALID_REQUEST',
    'AI (01): The numeric check digit is incorrect',
    headers,
  ),
  ...refusalOf(
    errorSchema,
    'No level has an entry, or none a link of this type',
    'NOT_FOUND',
    'There are no links at this GS1 Digital Link',
    headers,
  ),
  ...refusalOf(
    errorSchema,
    'More requests than one address may send',
    'RATE_LIMITED',
    'Too many requests from this address',
    { ...headers, ...retryAfter },
  ),
  ...refusalOf(
    errorSchema,
    'The links cannot be looked up, or the scan cannot be counted, just now',
    'UNAVAILABLE',
    'The links cannot be looked up at the moment',
    { ...headers, ...retryAfter },
  ),
});

const resolving =
  'Leads on to a link of the most specific level that has an entry, and counts a scan of that entry. The other primary keys of GS1 ' +
  'and all of their qualifiers are resolved alike (`/8004/…`, `/01/{gtin}/22/…/10/…/21/…`), and paths with an EPC, `/eh…` and `/ex…`.';
const verifying =
  ' Where the GTIN has serialized batches, a serial without an entry is verified, as `/v/{itemId}/{signature}` is, and has its answers.';

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
    subject: 'a serial',
    description: resolving + verifying,
    path: z.object({ gtin, serial }),
  },
};

const description = z
  .object({
    name: z.string().meta({ description: 'The name of the resolver.' }),
    resolverRoot: z.string().meta({ description: 'The origin of its Digital Links.' }),
    supportedPrimaryKeys: z.array(z.string()).meta({ description: 'Application identifiers.' }),
    linkTypeDefaultCanBeLinkset: z
      .boolean()
      .meta({ description: 'Whether a request without `linkType` may be answered with all links.' }),
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
      summary: `Ask where ${subject} leads`,
      description:
        'Answers as GET does, without a body, and is not counted as a scan; the rate limit counts it.',
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
        summary: 'Read what the GS1 resolver says of itself',
        description: 'The resolver description file of the GS1-Conformant Resolver Standard.',
        responses: {
          200: {
            description: 'The description',
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
