/** The variants of one page: the page as it is, which is held as long as the page, and some of the others. */
import type { ServedPage } from './served-page.ts';

/** Of one page. Made-up queries displace each other; visitors of one page speak few languages. */
const variantsMax = 15;
/** Of one page, together: a sixteenth of what all pages have. Those of a usual menu have a tenth of it. */
const variantBytesMax = 4 * 2 ** 20;

export interface HeldVariants {
  of(variant: string): Promise<ServedPage> | undefined;
  /** Holds one that is being made. It is forgotten where that fails, or where it is too large. */
  hold(variant: string, making: Promise<ServedPage>): void;
  /** Does nothing where another one has taken its place. */
  forget(variant: string, making: Promise<ServedPage>): void;
  /** What the finished ones take at this moment. */
  readonly bytes: number;
  /** To be called when one of them takes more than before. */
  resized(): void;
}

interface Held {
  making: Promise<ServedPage>;
  made?: ServedPage;
}

const bytesOf = (all: Iterable<Held>): number => {
  let bytes = 0;
  for (const { made } of all) bytes += made?.bytes ?? 0;
  return bytes;
};

/** @param onResized called whenever `bytes` is another one */
export const createHeldVariants = (onResized: () => void): HeldVariants => {
  let plain: Held | undefined;
  /** The oldest first. */
  const variants = new Map<string, Held>();

  const heldOf = (variant: string): Held | undefined => (variant === '' ? plain : variants.get(variant));

  const remove = (variant: string): void => {
    if (variant === '') plain = undefined;
    else variants.delete(variant);
  };

  const displaceOldest = (): void => {
    for (const [variant, { made }] of variants) {
      const isTooMany = variants.size > variantsMax;
      if (!isTooMany && bytesOf(variants.values()) <= variantBytesMax) return;
      if (isTooMany || made) variants.delete(variant);
    }
  };

  const resized = (): void => {
    displaceOldest();
    onResized();
  };

  const forget = (variant: string, making: Promise<ServedPage>): void => {
    if (heldOf(variant)?.making !== making) return;
    remove(variant);
    onResized();
  };

  return {
    of: (variant) => heldOf(variant)?.making,
    hold(variant, making) {
      const held: Held = { making };
      if (variant === '') plain = held;
      else variants.set(variant, held);
      displaceOldest();
      making.then(
        (made) => {
          held.made = made;
          resized();
        },
        () => forget(variant, making),
      );
    },
    forget,
    get bytes() {
      return (plain?.made?.bytes ?? 0) + bytesOf(variants.values());
    },
    resized,
  };
};
