/** The body of a PATCH of a code: a JSON merge patch (RFC 7396) of what an update sets. */
import { z } from 'zod';
import { createUpdateFields, updateError } from './code-bodies.ts';
import { parametersPatch } from './code-routing.ts';
import { objectPatch } from './merge-patch.ts';
import { styleKeys, styleUpdateFields, whyStyleRefused } from './style.ts';
import { boundedText } from './text.ts';

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

/**
 * What makes sense for many codes. A name and an `externalId` are one code's own. A password would have to be kept until the
 * last code has it. A style is proven by drawing each code. The status and tags have actions of their own.
 */
const fieldsForMany = [
  'destination',
  'expiresAt',
  'maxScans',
  'metadata',
  'notes',
  'analytics',
  'folderId',
  'archived',
  'routingRules',
  'startsAt',
  'beforeStartUrl',
  'expiredUrl',
  'schedule',
  'forwardQuery',
  'scanIdParameter',
] as const satisfies readonly (keyof ReturnType<typeof createUpdateFields>)[];

const hostLengthMax = 260;
const notHost = 'must be a host such as shop.example.com, with or without a port';

/** Of an address: without user, path and query. The parser of URLs takes control characters off their ends. */
const isHost = (text: string): boolean => {
  const url = /[\s\p{Cc}/\\?#@]/u.test(text) ? null : URL.parse(`https://${text}/`);
  if (url === null || url.host === '') return false;
  return url.port !== '' || !text.includes(':') || text.endsWith(']') || text.endsWith(':443');
};

const destinationHost = boundedText(hostLengthMax, notHost)
  .refine(isHost, notHost)
  .optional()
  .describe(
    'The host that takes the place of the host and port in each destination; scheme, path and query stay. For codes of ' +
      'the type `url`. Not together with `destination`. Schedules, rules and variants of campaigns stay as they are.',
  );

const pick = <Fields extends object, Key extends keyof Fields>(
  fields: Fields,
  keys: readonly Key[],
): Pick<Fields, Key> => Object.fromEntries(keys.map((key) => [key, fields[key]])) as Pick<Fields, Key>;

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
    /** For many codes at once. */
    many: z
      .strictObject(
        {
          ...pick(fields, fieldsForMany),
          ...partsOf(objects),
          parameters: parametersPatch,
          destinationHost,
        },
        { error: updateError },
      )
      .refine(
        (body) => Object.values(body).some((value) => value !== undefined),
        'must have at least 1 field',
      )
      .superRefine((body, context) => {
        if (body.destination !== undefined && body.destinationHost !== undefined)
          context.addIssue({
            code: 'custom',
            path: ['destinationHost'],
            message: 'must not be given together with destination',
          });
      }),
    /** Its objects, once they are merged into those of the code. */
    merged: z.object({
      ...objects,
      parameters: fields.parameters,
      ...styleObjects,
      style: z.object(styleObjects).optional(),
    }),
  };
};

export type PatchManyBody = z.output<ReturnType<typeof createPatchBodies>['many']>;
export type PatchCodeBody = z.output<ReturnType<typeof createPatchBodies>['patch']>;
