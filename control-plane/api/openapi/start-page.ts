/** The root of this origin: leads to the documentation. */
import { z } from 'zod';
import { wantsPage } from '#shared/wants-page.ts';
import { type Operation, publicOperation, type Reply } from '../http/operation.ts';

const pointers = z.object({
  name: z.string().meta({ description: 'The name of the service.' }),
  docs: z.string().meta({ description: 'The URL of the documentation, as a page.' }),
  openapi: z.string().meta({ description: 'The URL of the documentation, for programs.' }),
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
      summary: 'Get the address of the documentation',
      description:
        'Redirects browsers, which accept `text/html`, to the documentation. Other clients get its address.',
      responses: {
        200: { description: 'The address of the documentation', schema: pointers, example: body },
        302: {
          description: 'Redirects browsers to the documentation',
          headers: { location: 'The URL of the documentation' },
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
