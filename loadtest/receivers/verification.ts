/** Whether a request is what Standard Webhooks says: looked at by two packages that the project has not written. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { z } from 'zod';
import { messageOf } from '#shared/errors.ts';
import type { Seen } from './messages.ts';

const envelope = z.strictObject({
  id: z.string(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

const codeIdOf = ({ qrId }: Record<string, unknown>): string => (typeof qrId === 'string' ? qrId : '');

type Facts = Omit<Seen, 'endpoint' | 'atMs' | 'doneMs' | 'outcome'>;

/** The verifiers of each endpoint. */
export const createVerification = () => {
  const verifiers = new Map<string, readonly (StandardWebhook | SvixWebhook)[]>();

  const verify = (endpoint: string, headers: IncomingHttpHeaders, body: string) => {
    const own = verifiers.get(endpoint);
    if (!own) throw new Error(`nobody expects requests to /${endpoint}`);
    const text = (name: string) => String(headers[name] ?? '');
    const signed = {
      'webhook-id': text('webhook-id'),
      'webhook-timestamp': text('webhook-timestamp'),
      'webhook-signature': text('webhook-signature'),
    };
    for (const verifier of own) verifier.verify(body, signed);
    return envelope.parse(JSON.parse(body));
  };

  return {
    expect(endpoint: string, secret: string): void {
      verifiers.set(endpoint, [new StandardWebhook(secret), new SvixWebhook(secret)]);
    },
    /** Never throws: the answer has the `fault` of a request. */
    factsOf(endpoint: string, headers: IncomingHttpHeaders, body: string): Facts {
      const id = String(headers['webhook-id'] ?? '');
      const digest = createHash('sha256').update(body).digest('base64url');
      try {
        const { id: eventId, type, createdAt, data } = verify(endpoint, headers, body);
        const createdAtMs = Date.parse(createdAt);
        return { id, digest, eventId, type, codeId: codeIdOf(data), createdAtMs, fault: null };
      } catch (error) {
        return { id, digest, eventId: '', type: '', codeId: '', createdAtMs: 0, fault: messageOf(error) };
      }
    },
  };
};
