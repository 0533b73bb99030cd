/** Who did something, as the API returns it. */
import { z } from 'zod';
import { ownText } from './text.ts';

export const actorTypes = ['key', 'operator'] as const;
export type ActorType = (typeof actorTypes)[number];

export const actorObject = z.object({
  type: z
    .enum(actorTypes)
    .describe(
      '`key`: a request with an API key, or a job that such a request began. `operator`: the operator of Waymark.',
    ),
  keyId: ownText().nullable().describe('The id of the key. Null for the operator.'),
  keyName: ownText()
    .nullable()
    .describe('The present name of the key. Null if it has none or was deleted since, and for the operator.'),
});
export type ActorObject = z.output<typeof actorObject>;
