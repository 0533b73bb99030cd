/** Static codes, which are not stored, and the generator that makes either kind. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { codeCreationOf } from '../codes/feature.ts';
import { createStaticOperations } from './routes.ts';
import { createStaticDrawing, type DrawStaticCode } from './static.ts';

/** Draws static codes, also for other features. */
export const staticDrawingOf = oncePerProcess(
  (services): DrawStaticCode => createStaticDrawing(services.renderer, brandKitsOf(services)),
);

export const staticCodes: Feature = {
  name: 'static',
  open: (services) => ({
    operations: createStaticOperations({
      draw: staticDrawingOf(services),
      createDynamicCode: codeCreationOf(services),
      qrHost: services.config.qrHost,
    }),
  }),
};
