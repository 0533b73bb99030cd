/** The certificate of an instance: checked once before its processes start, and again before they are replaced. */
import type { Config } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { gauge, type MetricDefinition } from '#shared/prometheus.ts';
import { type Certificate, type PemTexts, readCertificate } from '../tls/certificate.ts';

export interface InstanceCertificate {
  readonly metrics: MetricDefinition[];
  /** The last accepted certificate. */
  readonly accepted: PemTexts;
  /**
   * Checks the files again, after a renewal, and accepts them. If it returns undefined, the workers with the earlier
   * certificate should continue; the log has the reason.
   * @returns a function that goes back to the earlier certificate, for when no process can serve this one
   */
  renew(): (() => void) | undefined;
}

const withWarnings = (certificate: Certificate, logger: Logger): Certificate => {
  for (const warning of certificate.warnings) logger.warn(warning);
  return certificate;
};

/** Whether a valid certificate would be replaced by an expired one. */
const isWorse = (next: Certificate, current: Certificate, nowMs: number): boolean =>
  next.expiresAtMs <= nowMs && current.expiresAtMs > nowMs;

/**
 * @returns undefined if the instance speaks plain HTTP
 * @throws {ConfigError} naming the variable whose file cannot be used
 */
export const checkInstanceCertificate = (
  { redirector: { tls }, qrHost }: Config,
  logger: Logger,
): InstanceCertificate | undefined => {
  if (!tls) return undefined;
  let current = withWarnings(readCertificate(tls, qrHost), logger);

  const renewOrThrow = (): void => {
    const next = withWarnings(readCertificate(tls, qrHost), logger);
    if (isWorse(next, current, Date.now())) throw new Error('TLS_CERT has expired; the one in use has not');
    current = next;
  };

  return {
    metrics: [
      gauge(
        'tls_certificate_expiry_timestamp_seconds',
        'Unix time at which the certificate of TLS_CERT expires; less time() it is the seconds that are left',
        () => current.expiresAtMs / 1000,
      ),
    ],
    get accepted() {
      return current.pem;
    },
    renew() {
      const before = current;
      try {
        renewOrThrow();
        return () => {
          current = before;
        };
      } catch (error) {
        logger.error(`${messageOf(error)}: the workers are not replaced, and the old ones go on`);
        return undefined;
      }
    },
  };
};
