/** What an update makes of the saved style; the rules stand in schemas/api/style.ts. */
import { deliveryKeys, lookKeys, type Style, type StyleUpdate, styleKeys } from '#schemas/api/style.ts';

/** Those of the keys that are set. */
const pick = <Key extends string>(keys: readonly Key[], from: Partial<Record<Key, unknown>>) =>
  Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]));

/** Null where nothing is set: then there is no style. */
const orNone = (style: Style): Style | null => (Object.keys(style).length > 0 ? style : null);

/** The style that a create's body gives. */
export const newStyle = (body: Style): Style | null => orNone(pick(styleKeys, body));

export const updatedStyle = (saved: Style | null, sent: StyleUpdate): Style | null => {
  const { brandKitId, ...others } = pick(lookKeys, sent);
  const look: Style = typeof brandKitId === 'string' ? { ...others, brandKitId } : others;
  const kept: Style = { ...saved };
  if (Object.keys(look).length > 0) {
    delete kept.image;
    delete kept.frame;
  }
  if (brandKitId === null || look.preset !== undefined) delete kept.brandKitId;
  if (look.brandKitId !== undefined) delete kept.preset;
  return orNone({ ...kept, ...look, ...pick(deliveryKeys, sent) });
};
