/**
 * Bodies allowed by the document are refused only for rules that it cannot express; forbidden bodies are refused by
 * name.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { allowedBy, brokenBy, type Schema } from '../../testing/documented.ts';
import { withoutReferences } from '../../testing/documented-operations.ts';

const refusal = z.object({ error: z.string(), details: z.array(z.string()).default([]) });

const documentShape = z.object({
  paths: z.record(
    z.string(),
    z.object({
      post: z
        .object({
          requestBody: z
            .object({ content: z.record(z.string(), z.object({ schema: z.custom<Schema>() })) })
            .optional(),
        })
        .optional(),
    }),
  ),
});

/** Rules about several fields together, or about the meaning of a text or a look: no schema expresses them. */
const rules: Record<string, RegExp> = {
  'secure and the fields that go with it':
    /^(password|encryption|expiry) (is required when secure includes|must not be given unless secure includes)/,
  'one end only': /^expiresAt must not be given together with expiry/,
  'a preset or a brand kit': /^brandKitId must not be given together with preset/,
  'a brand kit that exists': /^brandKitId '.*' is not a brand kit of this workspace/,
  'data is what its dataType says': /^data[. ]/,
  'a URL':
    /^(\S+\.)?(destination|url|appStoreUrl|playStoreUrl|beforeStartUrl|expiredUrl|(logo|heroImage|avatar|image|icon)Url|redirectAfterSubmit) must (be an |not )/,
  'a platform has the fields that are its own': /\.label is required when platform is custom/,
  'a choice has options': /\.options (is required|must not be given) when type is /,
  'options are unique': /\.options\[\d+\] must not be given twice/,
  'a label is seen': / must have a visible character/,
  'an external id is seen': /^externalId must have visible characters only/,
  'a country that exists': /\.country\[\d+\] must be a country code/,
  'an instant':
    /^(expiresAt|expiry|startsAt|schedule\[\d+\]\.at|\S+\.(after|before)) must be (an ISO 8601 instant|in the future|before|later than)/,
  'a schedule of a location': /^schedule must not be given for the dataType/,
  'a language, a time of day and a zone': /\.(language\[\d+\]|from|to|timezone) must (be a|differ)/,
  'a span of time': /\.time must have at least one of/,
  'a query has a parameter': /\.query must have at least one parameter/,
  'known placeholders': /^parameters\..* must have no other placeholders/,
  'parameters that fit into a URL': /^parameters must have at most 2000/,
  'a rule has a condition': /\.condition must have at least one of/,
  'messages of an end': /^messages must have at least one of/,
  'a folder that exists': /^folderId '.*' is not a folder of this workspace/,
  'a deep link has an app': /^deepLinkConfig must have at least one of/,
  'messages have a text': /^messages(\.\w+)? must have at least one of/,
  'certificates of a package': /\.sha256CertFingerprints must be given together with package/,
  'colour stops in order': /\.colorStops must be in the order of their offsets/,
  'ids are unique': /\.id must not be given twice/,
  'a variant with a weight': /^campaign\.variants must have at least one whose weight/,
  'a logo is a picture': /^image must be a PNG/,
  'texts without control characters': / must not contain control characters/,
  'a key seals': /^encryption\.key must/,
  'encrypted, and nothing that needs its content':
    /^(routingRules|campaign|deepLinkConfig|schedule|forwardQuery|parameters|scanIdParameter|encryption) must not/,
  'an alias that can be had': /^alias(Domain|Length|Prefix)?(:| and aliasLength)? /,
  'a look that can be read':
    /contrast|light on dark|hides too much|is too large|cannot be read|is not read|does not fit|must be (at least|larger)|typeNumber|qrOptions|logoSize|margin/,
};

const paths = [
  '/api/qr/codes',
  '/api/qr/brand-kits',
  '/api/qr/landing-pages',
  '/api/qr/forms',
  '/api/qr/menus',
];

let workspace: Workspace;
let schemas: Map<string, Schema>;

const refusalsOf = async (path: string, body: unknown): Promise<{ status: number; messages: string[] }> => {
  const { status, body: answer } = await workspace.call('POST', path, body);
  if (status === 201) return { status, messages: [] };
  const { error, details } = refusal.parse(answer);
  return { status, messages: [error, ...details] };
};

beforeAll(async () => {
  const plane = await startTestControlPlane();
  workspace = await plane.workspace();
  const document = documentShape.parse(
    withoutReferences((await plane.callWith(undefined)('GET', '/openapi.json')).body),
  );
  schemas = new Map(
    paths.map((path) => [path, document.paths[path]!.post!.requestBody!.content['application/json']!.schema]),
  );
});

describe.each(paths)('POST %s', (path) => {
  test('a body that the document allows is refused only for rules that no schema expresses', async () => {
    const property = fc.asyncProperty(allowedBy(schemas.get(path)!), async (body) => {
      const { messages } = await refusalsOf(path, body);
      const others = messages.filter((each) => !Object.values(rules).some((rule) => rule.test(each)));
      expect(others).toEqual([]);
    });
    // A workspace has room for 50 kits; a refused kit takes none.
    await fc.assert(property, { numRuns: 40, seed: 7 });
  }, 600_000);

  test('a body that breaks one bound of the document is refused, naming the field', async () => {
    const broken = brokenBy(schemas.get(path)!).filter((each) => each.path !== '');
    expect(broken.length).toBeGreaterThan(50);
    const unnamed: unknown[] = [];
    for (const { path: field, bound, value } of broken) {
      const { status, messages } = await refusalsOf(path, value);
      const isNamed = messages.some((each) => each.startsWith(`${field} `));
      if (![400, 422].includes(status) || !isNamed) unnamed.push({ field, bound, status, messages });
    }
    expect(unnamed).toEqual([]);
  }, 600_000);
});
