/** Custom domains of workspaces, on which redirectors serve their codes. */
import type { Feature } from '../../framework/feature.ts';
import type { Services } from '../../framework/services.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import { prepareBrandingOf } from '../branding/feature.ts';
import { createAskRouter } from './ask.ts';
import { createCheckQueue } from './check-queue.ts';
import { checkKinds, createChecks } from './checks.ts';
import { domainDocumentSource } from './documents.ts';
import { createDomainOperations } from './routes.ts';
import { domainIds } from './store.ts';
import { createRecordCheck } from './txt-record.ts';

const checksOf = (services: Services) => {
  const { pool, outbox, config, logger, metrics } = services;
  return createChecks({
    pool,
    outbox,
    check: createCheckQueue(createRecordCheck(config.dnsServers)),
    publishing: documentPublishingOf(services),
    logger,
    onCheck: metrics.counter(
      'domain_checks_total',
      'Checks for the TXT records of domains, by what they came to',
      'what',
      checkKinds,
    ),
  });
};

export const domains: Feature = {
  name: 'domains',
  tables: ['domain_names', 'domains'],
  ids: [domainIds],
  events: ['domain.verified', 'domain.record_missing', 'domain.switched_off'],
  open(services) {
    const { pool, config } = services;
    documentKindsOf(services).add(domainDocumentSource);
    const checks = checksOf(services);
    const ownHosts = [new URL(config.qrHost).hostname, new URL(config.baseUrl).hostname] as const;
    return {
      operations: createDomainOperations({
        pool,
        publishing: documentPublishingOf(services),
        checks,
        ownHosts,
        prepareBranding: prepareBrandingOf(services),
      }),
      internalRoutes: [createAskRouter({ pool, publishing: documentPublishingOf(services), ownHosts })],
      tasks: [{ task: 'check-domain-records', schedule: '* * * * *', run: () => checks.checkAllDue() }],
    };
  },
};
