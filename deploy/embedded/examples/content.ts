/** The input of the examples. */

export interface Material {
  /** The URLs of the stored pictures, by name. */
  pictures: Readonly<Record<string, string>>;
  /** The URLs of the examples created earlier. */
  links: { menu?: string; form?: string };
}

/** Builds the request body that creates an example. */
export type Content<Body> = (material: Material) => Body;
