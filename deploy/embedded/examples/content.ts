/** What the examples are made of. */

export interface Material {
  /** The URLs of the pictures that were stored, by name. */
  pictures: Readonly<Record<string, string>>;
  /** The URLs of the examples that were made before. */
  links: { menu?: string; form?: string };
}

/** Makes the body of the call that creates an example. */
export type Content<Body> = (material: Material) => Body;
