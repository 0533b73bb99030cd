/**
 * A worker asks its primary for the last accepted certificate, because the files may since have been replaced by ones
 * that were refused. It goes over the channel between the two processes: unlike an environment variable, it is not
 * visible in /proc and no child inherits it.
 */
import type { Worker } from 'node:cluster';
import type { PemTexts } from '../tls/certificate.ts';

const requestType = 'certificate wanted';
const answerType = 'certificate';

const isOfType = (message: unknown, type: string): message is object =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === type;

const isPemTexts = (value: unknown): value is PemTexts =>
  typeof value === 'object' &&
  value !== null &&
  'cert' in value &&
  'key' in value &&
  typeof value.cert === 'string' &&
  typeof value.key === 'string';

/** For the primary. @param accepted the certificate at the time a worker asks */
export const answerWorker = (worker: Worker, accepted: () => PemTexts): void => {
  worker.on('message', (message: unknown) => {
    if (isOfType(message, requestType)) worker.send({ type: answerType, pem: accepted() });
  });
};

/**
 * For a worker that is starting: until it has the answer, it ends with its primary, so that it does not wait in vain.
 */
export const askPrimary = (): Promise<PemTexts> =>
  new Promise((resolve) => {
    const onMessage = (message: unknown): void => {
      if (!isOfType(message, answerType) || !('pem' in message) || !isPemTexts(message.pem)) return;
      process.off('message', onMessage);
      resolve(message.pem);
    };
    process.on('message', onMessage);
    process.send?.({ type: requestType });
  });
