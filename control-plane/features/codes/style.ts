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
  const sentLook = brandKitId === null || brandKitId === undefined ? others : { ...others, brandKitId };
  const look = Object.keys(sentLook).length > 0 ? sentLook : pick(lookKeys, saved ?? {});
  if (brandKitId === null) delete look.brandKitId;
  return orNone({ ...look, ...pick(deliveryKeys, saved ?? {}), ...pick(deliveryKeys, sent) });
};
