/** Signature keys that differ from the control plane's. */
import { expect, test, vi } from 'vitest';
import { createSerialKeys } from '#shared/serial-keys.ts';
import { createSerialSignatures, type KeyFingerprint } from '#shared/serial-signatures.ts';
import { logger, secretKey, startControlPlaneStandIn, startTestRedirector } from '../testing/redirector.ts';
import { mintItem, verify } from '../testing/serialized-items.ts';
import { createKeyCheck } from './key-check.ts';

const patient = { timeout: 60_000, interval: 50 };
/** The control plane's. */
const { fingerprints } = createSerialSignatures(createSerialKeys({ secretKey, serialKeys: undefined }));
const otherKey = `1=${Buffer.alloc(32, 7).toString('base64url')}`;

test("a code has no verdict if the key of its generation differs from the control plane's, and the log names the generation", async () => {
  const controlPlane = await startControlPlaneStandIn();
  controlPlane.serialized.fingerprints = fingerprints();
  const app = await startTestRedirector({
    CONTROL_PLANE_INTERNAL_URL: controlPlane.url,
    SERIAL_KEYS: otherKey,
  });
  await vi.waitFor(
    () => expect(app.logged()).toContainEqual(expect.objectContaining({ generation: 1 })),
    patient,
  );
  const genuine = mintItem(controlPlane.serialized);
  expect((await verify(app.url, genuine)).status).toBe(503);
  const forged = { path: `${genuine.path.slice(0, -3)}111` };
  expect((await verify(app.url, forged)).status).toBe(503);
});

test('a redirector trusts its own keys until the control plane has sent its fingerprints', async () => {
  const app = await startTestRedirector({ SERIAL_KEYS: otherKey });
  const item = mintItem(app.controlPlane.serialized);
  expect((await verify(app.url, item)).body.verdict).toBe('not_genuine');
});

test('keys are compared periodically; the last answer counts, and a generation that the control plane lacks is trusted', async () => {
  let answer: KeyFingerprint[] | undefined = fingerprints().map((one) => ({ ...one, generation: 2 }));
  let asked = 0;
  const source = async () => {
    asked++;
    if (!answer) throw new Error('away');
    return answer;
  };
  const check = createKeyCheck(fingerprints, source, 5, logger);
  const afterTwoMore = async () => {
    const before = asked;
    await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 1), patient);
    return check.isTrusted(1);
  };
  check.start();
  expect(await afterTwoMore()).toBe(true);
  answer = [{ generation: 1, fingerprint: 'another' }];
  expect(await afterTwoMore()).toBe(false);
  answer = undefined;
  expect(await afterTwoMore()).toBe(false);
  answer = fingerprints();
  expect(await afterTwoMore()).toBe(true);
  await check.close();
});
