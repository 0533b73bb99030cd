/** The root of this origin: leads to the documentation. */
import { z } from 'zod';
import { wantsPage } from '#shared/wants-page.ts';
import { type Operation, publicOperation, type Reply } from '../http/operation.ts';

const pointers = z.object({
  name: z.string().meta({ description: 'What this is' }),
  docs: z.string().meta({ description: 'The documentation, as a page' }),
  openapi: z.string().meta({ description: 'The same for programs' }),
});

export const createStartOperation = (baseUrl: string): Operation => {
  const body = { name: 'Waymark', docs: `${baseUrl}/docs`, openapi: `${baseUrl}/openapi.json` };
  return publicOperation({
    access: 'public',
    method: 'get',
    path: '/',
    docs: {
      id: 'getStart',
      tag: 'About this API',
      summary: 'Where the documentation is',
      description:
        'Browsers, which accept `text/html`, are redirected to the documentation; others are told where it is.',
      responses: {
        200: { description: 'Where the documentation is', schema: pointers, example: body },
        302: {
          description: 'To the documentation, for browsers',
          headers: { location: 'The documentation' },
        },
      },
    },
    async handle({ header }): Promise<Reply> {
      const headers = { vary: 'Accept' };
      if (!wantsPage(header('accept'))) return { headers, body };
      return { status: 302, headers: { ...headers, location: body.docs } };
    },
  });
};
