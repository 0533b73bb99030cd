/** Every message to webhooks is documented, type by type. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { webhookEventTypes } from '#schemas/api/webhook-events.ts';
import { describeApi } from './document.ts';

const origins = { baseUrl: 'https://api.example.com', qrHost: 'https://qr.example.com' };
const shape = z.object({
  webhooks: z.record(
    z.string(),
    z.object({
      post: z.object({
        operationId: z.string(),
        tags: z.array(z.string()).length(1),
        summary: z.string().min(1),
        security: z.array(z.unknown()).length(0),
        parameters: z.array(z.looseObject({ in: z.literal('header'), name: z.string() })),
        requestBody: z.object({
          required: z.literal(true),
          description: z.string(),
          content: z.object({
            'application/json': z.object({
              schema: z.looseObject({ properties: z.looseObject({ data: z.looseObject({}) }) }),
              example: z.looseObject({ type: z.string(), data: z.looseObject({}) }),
            }),
          }),
        }),
        responses: z.record(z.string(), z.unknown()),
      }),
    }),
  ),
});

const document = describeApi([], origins);
const { webhooks } = shape.parse(JSON.parse(JSON.stringify(document)));

test('every type of event has its own body, and so have batches of scans', () => {
  expect(Object.keys(webhooks).sort()).toEqual([...webhookEventTypes, 'scan.created.batch'].sort());
  const ids = Object.values(webhooks).map(({ post }) => post.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('onScanCreated');
});

test('the headers are the ones of Standard Webhooks, and the legacy one', () => {
  for (const { post } of Object.values(webhooks))
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'webhook-test',
      'X-Service-Signature',
    ]);
});

test('a scan’s device is one that reports have, so never a bot', () => {
  const { schema } = webhooks['scan.created']!.post.requestBody.content['application/json'];
  expect(schema.properties.data).toMatchObject({
    properties: { device: { enum: ['mobile', 'tablet', 'desktop'] } },
  });
});

describe.each(Object.entries(webhooks))('%s', (type, { post }) => {
  const { schema, example } = post.requestBody.content['application/json'];

  test('has an example, which is valid and has every field of its data', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addFormat('unix-time-ms', true);
    ajv.addSchema({ ...document, $id: 'api' }, 'api');
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')),
    );
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(example.type).toBe(type);
    const { required } = schema.properties.data as { required?: string[] };
    expect(Object.keys(example.data)).toEqual(expect.arrayContaining(required ?? []));
  });
});

test('the same operations are described alike, however often', () => {
  expect(JSON.stringify(describeApi([], origins))).toBe(JSON.stringify(document));
});
