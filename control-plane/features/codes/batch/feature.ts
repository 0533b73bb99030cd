/** Making and changing many codes at once, for the features that do. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { createPatchBodies } from '#schemas/api/code-patch.ts';
import { validateBody } from '../../../api/http/validation.ts';
import { oncePerProcess } from '../../../framework/feature.ts';
import { rowLogosOf } from '../../logos/feature.ts';
import { picturesOf } from '../../pictures/feature.ts';
import { screeningOf } from '../../screening/feature.ts';
import { codePartsOf } from '../feature.ts';
import { createPatching } from '../patch-code.ts';
import { type ChangeBatch, createChangeBatch } from './change-batch.ts';
import { type CodeBatch, createCodeBatch } from './code-batch.ts';
import { createSameChange } from './same-change.ts';

export const codeBatchOf = oncePerProcess((services): CodeBatch => {
  const bodies = createCodeBodies(services.config.qrHost);
  return createCodeBatch({
    ...codePartsOf(services),
    check: (body) => validateBody(bodies.row, body),
    sharedHost: new URL(services.config.qrHost).hostname,
    pool: services.pool,
    logos: rowLogosOf(services),
    kinds: picturesOf(services).kinds,
    outbox: services.outbox,
    screening: screeningOf(services),
  });
});

export const changeBatchOf = oncePerProcess((services): ChangeBatch => {
  const bodies = createCodeBodies(services.config.qrHost);
  return createChangeBatch({
    ...codePartsOf(services),
    check: (body) => validateBody(bodies.update, body),
    destinationOf: bodies.destinationOf,
    kinds: picturesOf(services).kinds,
    outbox: services.outbox,
    screening: screeningOf(services),
  });
});

/** One change of many codes. */
export const sameChangeOf = oncePerProcess((services) =>
  createSameChange({
    pool: services.pool,
    labels: codePartsOf(services).labels,
    patching: createPatching(createPatchBodies(services.config.qrHost)),
    destinationOf: createCodeBodies(services.config.qrHost).destinationOf,
    screening: screeningOf(services),
  }),
);
