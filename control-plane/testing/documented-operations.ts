/** The operations of the OpenAPI document, one after the other. */
import { z } from 'zod';

export interface DocumentedOperation<Shape> {
  /** `/api/qr/codes/{id}` */
  template: string;
  /** In capitals. */
  method: string;
  operation: Shape;
}

/** Whether the redirector alone serves a path of the document. */
export const isOfRedirector = (template: string): boolean =>
  /^\/(?:r|v|01)\/|^\/\.well-known\/gs1resolver$/.test(template);

/**
 * @param json the document
 * @param shape what of each operation the test looks at
 * @throws {z.ZodError} where an operation has another shape
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
