/** The messages of the salt exchange: `{signature} {JSON}`. The signature proves that one of our processes wrote it. */
import { z } from 'zod';
import { equalInConstantTime, hmacSha256 } from '#shared/signing.ts';

const messageLengthMax = 1000;

const text = z.string().max(200);
const ask = z.object({ kind: z.literal('ask'), day: z.number(), name: text, key: text });
const answer = z.object({ kind: z.literal('answer'), to: text, key: text, sealed: text });
const message = z.discriminatedUnion('kind', [ask, answer]);

export type SaltMessage = z.infer<typeof message>;
export type SaltAsk = z.infer<typeof ask>;

const sign = (key: Buffer, body: string): string => hmacSha256(key, body).toString('base64url');

export const writeSaltMessage = (signingKey: Buffer, content: SaltMessage): string => {
  const body = JSON.stringify(content);
  return `${sign(signingKey, body)} ${body}`;
};

/**
 * @returns undefined for a text that none of our processes has signed
 * @throws when a signed message has another form
 */
export const readSaltMessage = (signingKey: Buffer, received: string): SaltMessage | undefined => {
  const space = received.indexOf(' ');
  if (received.length > messageLengthMax || space < 0) return undefined;
  const body = received.slice(space + 1);
  if (!equalInConstantTime(received.slice(0, space), sign(signingKey, body))) return undefined;
  return message.parse(JSON.parse(body));
};
