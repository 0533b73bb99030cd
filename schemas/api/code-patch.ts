/** The body of a PATCH of a code: a JSON merge patch (RFC 7396) of what an update sets. */
import { z } from 'zod';
import { createUpdateFields, updateError } from './code-bodies.ts';
import { parametersPatch } from './code-routing.ts';
import { objectPatch } from './merge-patch.ts';
import { styleKeys, styleUpdateFields, whyStyleRefused } from './style.ts';

/** The keys of a style whose values are objects. */
const styleObjects = {
  frame: styleUpdateFields.frame,
  qrOptions: styleUpdateFields.qrOptions,
  dotsOptions: styleUpdateFields.dotsOptions,
  cornersSquareOptions: styleUpdateFields.cornersSquareOptions,
  cornersDotOptions: styleUpdateFields.cornersDotOptions,
  backgroundOptions: styleUpdateFields.backgroundOptions,
  imageOptions: styleUpdateFields.imageOptions,
};

const partsOf = <Key extends string>(fields: Readonly<Record<Key, z.ZodType>>) =>
  Object.fromEntries(
    (Object.entries(fields) as [Key, z.ZodType][]).map(([key, field]) => [key, objectPatch(field)]),
  ) as Record<Key, ReturnType<typeof objectPatch>>;

const partialStyle = { ...styleUpdateFields, ...partsOf(styleObjects) };

const styleText =
  'The style as a code shows it: the same keys as beside it, each in one of the two places. `null` removes the ' +
  'whole style.';

type WithStyle = Readonly<Record<string, unknown>> & {
  style?: Readonly<Record<string, unknown>> | null | undefined;
};

/** A key in both places would have two values. */
const refuseTwice = (body: WithStyle, context: z.RefinementCtx): void => {
  for (const key of styleKeys)
    if (body[key] !== undefined && (body.style === null || body.style?.[key] !== undefined))
      context.addIssue({ code: 'custom', path: [key], message: 'must not be given together with style' });
};

type Sent = Parameters<typeof whyStyleRefused>[0];

const refuseStyle = (body: Sent & { style?: Sent | null | undefined }, context: z.RefinementCtx): void => {
  const message = whyStyleRefused({ ...body, ...body.style });
  const path = body.brandKitId === undefined ? ['style', 'brandKitId'] : ['brandKitId'];
  if (message !== undefined) context.addIssue({ code: 'custom', path, message });
};

/** @param qrHost the origin of redirects: no code may lead to another code */
export const createPatchBodies = (qrHost: string) => {
  const fields = createUpdateFields(qrHost);
  const objects = {
    campaign: fields.campaign,
    deepLinkConfig: fields.deepLinkConfig,
    messages: fields.messages,
  };
  return {
    /** As it is sent. */
    patch: z
      .strictObject(
        {
          ...fields,
          ...partsOf(objects),
          parameters: parametersPatch,
          ...partialStyle,
          style: z.strictObject(partialStyle).nullable().optional().describe(styleText),
        },
        { error: updateError },
      )
      .superRefine(refuseTwice)
      .superRefine(refuseStyle),
    /** Its objects, once they are merged into those of the code. */
    merged: z.object({
      ...objects,
      parameters: fields.parameters,
      ...styleObjects,
      style: z.object(styleObjects).optional(),
    }),
  };
};

export type PatchCodeBody = z.output<ReturnType<typeof createPatchBodies>['patch']>;
