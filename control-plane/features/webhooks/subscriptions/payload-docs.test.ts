/** Sent events match their documentation. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { webhookEvents, webhookEventTypes } from '#schemas/api/webhook-events.ts';
import { exampleEvent } from '../queue/examples.ts';
import { payloadOf, webhookEventTypes as sentTypes } from '../queue/payloads.ts';

const about = { id: 'evt_7Rk2mQw8Z4nX5cPq', workspaceId: 'ws_7Rk2mQw8Z4nX5cPq', occurredAt: new Date() };

test.each(webhookEventTypes)('the data of %s has exactly the documented fields', (type) => {
  const documented: z.ZodType = webhookEvents[type].data;
  if (!(documented instanceof z.ZodObject)) throw new Error('the data of an event is an object');
  const sent = payloadOf(exampleEvent(type, about), 'sub_4nX5cPq7Rk2mQw8Z');
  expect(documented.strict().safeParse(sent)).toMatchObject({ success: true });
});

test('every type that is sent is documented', () => {
  expect([...sentTypes].sort()).toEqual([...webhookEventTypes].sort());
});
