/** Custom domains of workspaces, on which redirectors serve their codes. */
import type { Feature } from '../../feature.ts';
import { documentKindsOf, documentPublishingOf } from '../../publishing/feature.ts';
import type { Services } from '../../services.ts';
import { createAskRouter } from './ask.ts';
import { domainDocumentSource } from './documents.ts';
import { createLookTurns } from './look-turns.ts';
import { createLooks, lookKinds } from './looks.ts';
import { createDomainOperations } from './routes.ts';
import { domainIds } from './store.ts';
import { createLookForRecord } from './txt-record.ts';

const looksOf = (services: Services) => {
  const { pool, outbox, config, logger, metrics } = services;
  return createLooks({
    pool,
    outbox,
    look: createLookTurns(createLookForRecord(config.dnsServers)),
    publishing: documentPublishingOf(services),
    logger,
    onLook: metrics.counter(
      'domain_looks_total',
      'Looks for the TXT records of domains, by what they came to',
      'what',
      lookKinds,
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
    const looks = looksOf(services);
    const ownHosts = [new URL(config.qrHost).hostname, new URL(config.baseUrl).hostname] as const;
    return {
      operations: createDomainOperations({
        pool,
        publishing: documentPublishingOf(services),
        looks,
        ownHosts,
      }),
      internalRoutes: [createAskRouter({ pool, ownHosts })],
      tasks: [{ task: 'look-for-domain-records', schedule: '* * * * *', run: () => looks.lookAtAllDue() }],
    };
  },
};
