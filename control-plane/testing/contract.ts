/** Checks every response of the API against the API's own document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';
import { withoutSharedParts } from '../api/openapi/components.ts';

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

const documentShape = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        responses: z.record(
          z.string(),
          z.looseObject({ content: z.record(z.string(), z.unknown()).optional() }),
        ),
      }),
    ),
  ),
});

export interface Contract {
  /** @throws {Error} if the document does not allow the response */
  check(method: string, path: string, answer: Answer): void;
  /** The same for the origin of the codes, whose own responses have no `request-id`. */
  checkPublic(method: string, path: string, answer: Answer): void;
}

export const createContract = (json: unknown): Contract => {
  const document = documentShape.parse(withoutSharedParts(json as { paths: unknown }));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS: its function is the default of its default.
  formats.default(ajv);
  ajv.addFormat('unix-time-ms', true);
  ajv.addSchema(document, 'api');
  const parametersOf = (template: string): number => template.split('{').length;
  // A literal path is never the value of another path's parameter.
  const templates = Object.keys(document.paths)
    .sort((a, b) => parametersOf(a) - parametersOf(b))
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));

  const validatorOf = (...pointer: string[]): ValidateFunction => {
    const escaped = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const validate = ajv.getSchema(`api#/${escaped.join('/')}`);
    if (!validate) throw new Error(`${pointer.join(' ')} is not in the document`);
    return validate;
  };

  const requireValid = (validate: ValidateFunction, body: unknown, where: string): void => {
    if (!validate(body)) {
      throw new Error(
        `${where}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 2_000)}`,
      );
    }
  };

  return {
    check(method, url, answer) {
      if (!answer.headers.has('request-id'))
        throw new Error(`${method} ${url} answered ${answer.status} without a request-id`);
      this.checkPublic(method, url, answer);
    },

    checkPublic(method, url, answer) {
      const path = url.split('?')[0]!;
      const where = `${method} ${path} answered ${answer.status}`;
      // A literal path is never the value of another path's parameter.
      const template =
        path in document.paths ? path : templates.find(({ pattern }) => pattern.test(path))?.template;
      const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = template === undefined ? undefined : document.paths[template]![verb];
      if (template === undefined || !operation) {
        if (answer.status === 204) return;
        requireValid(validatorOf('components', 'schemas', 'Error'), answer.body, where);
        return;
      }
      const response = operation.responses[answer.status];
      if (!response) throw new Error(`${where}, which is not documented: ${JSON.stringify(answer.body)}`);
      if (method === 'HEAD') return;
      const type = answer.headers.get('content-type')?.split(';')[0];
      if (!response.content) {
        if (type !== undefined) throw new Error(`${where} with a body, which is not documented`);
        return;
      }
      if (type === undefined || !(type in response.content)) throw new Error(`${where} as ${type}`);
      if (type !== 'application/json') return;
      const pointer = [
        'paths',
        template,
        verb,
        'responses',
        String(answer.status),
        'content',
        type,
        'schema',
      ];
      requireValid(validatorOf(...pointer), answer.body, where);
    },
  };
};
