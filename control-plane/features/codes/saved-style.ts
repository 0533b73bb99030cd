/** The style that a code stores, at creation and after an update; schemas/api/style.ts has the rules. */
import { deliveryKeys, lookKeys, type Style, type StyleUpdate, styleKeys } from '#schemas/api/style.ts';

/** The keys that have a value, with their values. */
const pick = <Key extends string>(keys: readonly Key[], from: Partial<Record<Key, unknown>>) =>
  Object.fromEntries(
    keys.flatMap((key) => (from[key] === undefined || from[key] === null ? [] : [[key, from[key]]])),
  );

/** A style without keys is stored as null. */
const orNone = (style: Style): Style | null => (Object.keys(style).length > 0 ? style : null);

/** The style in the body of a create. */
export const newStyle = (body: Style): Style | null => orNone(pick(styleKeys, body));

export const updatedStyle = (saved: Style | null, sent: StyleUpdate): Style | null => {
  const look: Style = pick(lookKeys, sent);
  const kept: Style = { ...saved };
  if (Object.keys(look).length > 0) {
    delete kept.image;
    delete kept.frame;
  }
  for (const key of styleKeys) if (sent[key] === null) delete kept[key];
  if (look.preset !== undefined) delete kept.brandKitId;
  if (look.brandKitId !== undefined) delete kept.preset;
  return orNone({ ...kept, ...look, ...pick(deliveryKeys, sent) });
};
