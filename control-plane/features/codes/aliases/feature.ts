/** Aliases: further short paths of codes. Redirectors hold them as documents. */
import { createCursors } from '../../../api/http/cursors.ts';
import { type Feature, oncePerProcess } from '../../../framework/feature.ts';
import type { Services } from '../../../framework/services.ts';
import { documentKindsOf, documentPublishingOf } from '../../../publishing/feature.ts';
import { createAliasClaims } from './claim.ts';
import { aliasDocumentSource } from './documents.ts';
import { createAliasOperations } from './routes.ts';

const sharedHostOf = ({ config }: Services): string => new URL(config.qrHost).hostname;

/** Gives aliases to codes, for every operation that does. */
export const aliasClaimsOf = oncePerProcess((services) => createAliasClaims(sharedHostOf(services)));

export const aliases: Feature = {
  name: 'aliases',
  tables: ['aliases', 'alias_counts'],
  keyPurposes: ['alias cursor'],
  open(services) {
    const { pool, outbox, config, keyFor } = services;
    documentKindsOf(services).add(aliasDocumentSource);
    return {
      operations: createAliasOperations({
        pool,
        outbox,
        publishing: documentPublishingOf(services),
        claims: aliasClaimsOf(services),
        cursors: createCursors(keyFor('alias cursor')),
        qrHost: config.qrHost,
        sharedHost: sharedHostOf(services),
      }),
    };
  },
};
