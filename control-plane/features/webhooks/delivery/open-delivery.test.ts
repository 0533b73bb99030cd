/** A control plane notifies receivers of changes of codes. */

import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { deriveKey } from '#shared/signing.ts';
import { secretKey, startTestControlPlane } from '../../../testing/control-plane.ts';
import { createSealedSecrets, createSecret, secretKeyPurpose } from '../queue/secrets.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';

const secret = createSecret();

const startPlane = async (environment: Record<string, string>) => {
  const plane = await startTestControlPlane({ environment });
  const workspace = await plane.workspace();
  return {
    plane,
    workspace,
    async follow(id: string, { url }: Receiver) {
      const sealed = createSealedSecrets(deriveKey(secretKey, secretKeyPurpose)).seal(id, secret);
      await plane.pool.query(
        `INSERT INTO webhooks (id, workspace_id, url, events, secret) VALUES ($1, $2, $3, '{*}', $4)`,
        [id, workspace.workspaceId, url, sealed],
      );
    },
  };
};

test('a code that is created, changed and deleted causes three deliveries with their payloads; metrics count them', async () => {
  const { plane, workspace, follow } = await startPlane({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const receiver = await startReceiver();
  await follow('wh_1', receiver);
  const code = await workspace.createCode({ name: 'First' });
  await workspace.call('PUT', `/api/qr/codes/${code.id}`, { name: 'Second' });
  await workspace.call('DELETE', `/api/qr/codes/${code.id}`);
  await expect.poll(() => receiver.received).toHaveLength(3);
  const about = { qrId: code.id, shortId: code.id, subscriptionId: workspace.subscriptionId };
  const notified = receiver.received.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  ) as { type: string; data: object }[];
  notified.sort((a, b) => a.type.localeCompare(b.type));
  expect(notified.map(({ type, data }) => [type, data])).toEqual([
    ['qr.created', { ...about, dataType: 'url', secure: [] }],
    ['qr.deleted', about],
    ['qr.updated', { ...about, changedKeys: ['name'] }],
  ]);
  await expect
    .poll(async () => String((await plane.internal('GET', '/metrics')).body))
    .toContain('waymark_webhook_attempts_total{outcome="succeeded"} 3');
});

test('without WEBHOOK_ALLOW_PRIVATE nothing is sent to a private address, and the log says why', async () => {
  const { plane, workspace, follow } = await startPlane({});
  const receiver = await startReceiver();
  await follow('wh_1', receiver);
  await workspace.createCode();
  const attempts = async () =>
    (await plane.pool.query<{ attempts: { error: string }[] }>('SELECT attempts FROM webhook_queue')).rows[0]
      ?.attempts;
  await expect.poll(attempts).toMatchObject([{ error: 'the URL does not lead to a public address' }]);
  expect(receiver.received).toEqual([]);
});
