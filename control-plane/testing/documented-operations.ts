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

/**
 * @param json the document
 * @param shape the fields of each operation that the test looks at
 * @throws {z.ZodError} if an operation has another shape
 */
export const documentedOperations = <Shape>(
  json: unknown,
  shape: z.ZodType<Shape>,
): DocumentedOperation<Shape>[] => {
  const { paths } = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), shape)) }).parse(json);
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ template, method: verb.toUpperCase(), operation })),
  );
};
