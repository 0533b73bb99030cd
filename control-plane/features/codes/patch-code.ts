/** PATCH: a merge patch (RFC 7396) of a code, as an update of the present code. */
import { isDeepStrictEqual } from 'node:util';
import type { UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import type { createPatchBodies, PatchCodeBody } from '#schemas/api/code-patch.ts';
import { type Style, type StyleUpdate, styleKeys } from '#schemas/api/style.ts';
import { validateBody } from '../../api/http/validation.ts';
import type { Update } from './prepare-change.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2. The body is nested at most 32 deep. */
const merge = (target: unknown, patch: unknown): unknown => {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, merge(merged.get(key), value));
  }
  return Object.fromEntries(merged);
};

/** The objects that are sent, merged into the stored ones. One of which nothing is left is removed. */
const mergeObjects = (stored: JsonObject, sent: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([key, value]) => {
      if (!isObject(value)) return [];
      const merged = merge(stored[key], value);
      return [[key, isDeepStrictEqual(merged, {}) ? null : merged]];
    }),
  );

const noStyle: StyleUpdate = Object.fromEntries(styleKeys.map((key) => [key, null]));

const isStyleKey = (key: string): boolean => (styleKeys as readonly string[]).includes(key);

/** A PUT that changes the look drops a logo and a frame that are not sent; a patch leaves what it does not name. */
const withKept = (body: UpdateCodeBody, { image, frame }: Style): UpdateCodeBody => ({
  ...(image !== undefined && { image }),
  ...(frame !== undefined && { frame }),
  ...body,
});

/** @returns the update that a patch makes of a code; it throws ClientError naming an object that is not valid once merged */
export const createPatching =
  ({ merged }: Pick<ReturnType<typeof createPatchBodies>, 'merged'>) =>
  (patch: PatchCodeBody): Update => {
    const { style, ...others } = patch;
    const sent = { ...others, ...(style === null ? noStyle : style) };
    const isStyled = Object.keys(sent).some(isStyleKey);
    return {
      fixed: {
        password: sent.password,
        expiresAt: sent.expiresAt,
        brandKitId: sent.brandKitId,
        tags: sent.tags,
        folderId: sent.folderId,
      },
      isStyled,
      of(current) {
        const { campaign, deepLinkConfig, messages, routing } = current;
        const stored = { campaign, deepLinkConfig, messages, parameters: routing?.parameters };
        const saved: JsonObject = { ...current.style };
        const objects = validateBody(merged, {
          ...mergeObjects({ ...stored, ...saved }, others),
          ...(style && { style: mergeObjects(saved, style) }),
        });
        const { style: styleObjects, ...rest } = objects;
        // The objects of the patch are replaced by the merged ones.
        const update = { ...sent, ...rest, ...styleObjects } as UpdateCodeBody;
        return isStyled && current.style ? withKept(update, current.style) : update;
      },
    };
  };
