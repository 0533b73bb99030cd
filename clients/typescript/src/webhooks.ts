/** Receives webhooks: verified, and typed by their type. */
import { Webhook } from 'standardwebhooks';
import type { webhooks } from './schema.d.ts';

type BodyOf<Message> = Message extends {
  post: { requestBody: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** Every message that the service sends; `type` tells them apart. Ignore types that you do not know: more are added. */
export type WebhookEvent = { [Type in keyof webhooks]: BodyOf<webhooks[Type]> }[keyof webhooks];

/** Headers of a request: names in lower case, as Node has them, or the object of `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (Array.isArray(value) ? value.join(' ') : value) ?? '';
};

/**
 * The event in a request, if the service sent it within the last five minutes.
 * @param body the bytes or the text as received, before any parsing
 * @param secret of the webhook, `whsec_…`
 * @throws {import('standardwebhooks').WebhookVerificationError} for any other request: answer it with 400
 */
export const verifyWebhook = (
  body: string | Buffer,
  headers: WebhookHeaders,
  secret: string,
): WebhookEvent => {
  const own = Object.fromEntries(signed.map((name) => [name, headerOf(headers, name)]));
  return new Webhook(secret).verify(body, own) as WebhookEvent;
};
