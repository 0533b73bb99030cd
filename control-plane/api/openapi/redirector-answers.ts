/** Parts of the redirector's responses in OpenAPI: headers, pages and refusals. */
import type { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { type ErrorCode, errorBody, errorStatus } from '#shared/errors.ts';

export const header = (description: string) => ({ description, schema: { type: 'string' as const } });

export const retryAfter = { 'Retry-After': header('The seconds after which a retry may succeed') };

/** The page that browsers get instead of JSON. */
export const page = { 'text/html': {} };

/** A refusal is a page for browsers and an error for programs. */
export const refusal = (
  errorSchema: z.ZodType,
  text: string,
  code: ErrorCode,
  error: string,
  headers = {},
) => ({
  description: text,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: {
    ...page,
    'application/json': { schema: errorSchema, example: errorBody(code, error) },
  },
});

/** The same, by its status. */
export const refusalOf = (
  errorSchema: z.ZodType,
  text: string,
  code: ErrorCode,
  error: string,
  headers = {},
) => ({ [errorStatus[code]]: refusal(errorSchema, text, code, error, headers) });

/** The responses without a body, for HEAD. */
export const bodiless = (responses: ZodOpenApiOperationObject['responses']) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content: _, ...rest } = response as { content?: object; description: string };
      return [status, rest];
    }),
  );
