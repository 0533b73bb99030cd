/** Iterates over the operations of the OpenAPI document. */
import { z } from 'zod';

export interface DocumentedOperation<Shape> {
  /** `/api/qr/codes/{id}` */
  template: string;
  /** In capitals. */
  method: string;
  operation: Shape;
}

/** Whether only the redirector serves a path of the document. */
export const isOfRedirector = (template: string): boolean =>
  /^\/(?:r|v|01)\/|^\/\.well-known\/gs1resolver$/.test(template);

/** The document with a copy of each component in place of its references: tests look into schemas without resolving them. */
export const withoutReferences = (json: unknown): unknown => {
  const targetOf = (ref: string): unknown =>
    ref
      .slice('#/'.length)
      .split('/')
      .reduce((at, part) => (at as Record<string, unknown>)[part], json);
  const copied = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(copied);
    const { $ref, ...own } = node as { $ref?: unknown };
    const copies = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, copied(value)]));
    return typeof $ref === 'string' ? { ...(copied(targetOf($ref)) as object), ...copies } : copies;
  };
  return copied(json);
};

/**
 * @param json the document
 * @param shape the fields of each operation that the test looks at
 * @throws {z.ZodError} if an operation has another shape
 */
export const documentedOperations = <Shape>(
  json: unknown,
  shape: z.ZodType<Shape>,
): DocumentedOperation<Shape>[] => {
  const { paths } = z
    .looseObject({ paths: z.record(z.string(), z.record(z.string(), shape)) })
    .parse(withoutReferences(json));
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ template, method: verb.toUpperCase(), operation })),
  );
};
