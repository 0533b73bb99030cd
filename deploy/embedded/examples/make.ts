/** Creates the examples through the API, as any integrator would. */
import { z } from 'zod';
import { messageOf } from '#shared/errors.ts';
import type { ApiClient } from './api-client.ts';
import { bakery } from './bakery.ts';
import type { Material } from './content.ts';
import { kitchen } from './kitchen.ts';
import { storePictures } from './pictures.ts';
import type { Example } from './record.ts';
import { seats } from './seats.ts';

export interface Making {
  api: ApiClient;
  qrHost: string;
  /** Called at once with the API path of each created resource. */
  onMade(resource: string): Promise<void>;
  say(line: string): void;
  signal: AbortSignal;
}

const page = z.object({ pageId: z.string() });
const form = z.object({ formId: z.string() });
const menu = z.object({ menuId: z.string() });
const code = z.object({ id: z.string() });
const anything = z.unknown();

type Made = Omit<Example, 'code'>;

const makePage = async (
  { api, onMade }: Making,
  kind: { title: string; collection: string; segment: string },
  body: unknown,
  id: z.ZodType<string>,
): Promise<Made> => {
  const { title, collection, segment } = kind;
  const made = await api.call('POST', collection, id, body);
  const resource = `${collection}/${made}`;
  await onMade(resource);
  return { title, resource, path: `/${segment}/${made}` };
};

const makeLandingPage = (making: Making): Promise<Made> =>
  makePage(
    making,
    { title: 'landing page', collection: '/api/qr/landing-pages', segment: 'p' },
    bakery({ pictures: {}, links: {} }),
    page.transform(({ pageId }) => pageId),
  );

const makeForm = (making: Making, material: Material): Promise<Made> =>
  makePage(
    making,
    { title: 'form', collection: '/api/qr/forms', segment: 'f' },
    seats(material),
    form.transform(({ formId }) => formId),
  );

const makeMenu = (making: Making, material: Material): Promise<Made> =>
  makePage(
    making,
    { title: 'menu', collection: '/api/qr/menus', segment: 'm' },
    kitchen(material),
    menu.transform(({ menuId }) => menuId),
  );

/**
 * @param what named as missing if it fails
 * @returns undefined after a failure, which it has printed
 */
const attempt = async <T>(
  { say, signal }: Making,
  what: string,
  make: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await make();
  } catch (error) {
    signal.throwIfAborted();
    say(`${what}: ${messageOf(error)}`);
    return undefined;
  }
};

/** Points a code at an example. If that fails, the example has no code. */
const withCode = async (making: Making, made: Made): Promise<Example> => {
  const found = await attempt(making, `the example of a ${made.title} has no code`, async () => {
    const body = { data: `${making.qrHost}${made.path}`, name: `Example: ${made.title}` };
    const { id } = await making.api.call('POST', '/api/qr/codes', code, body);
    const resource = `/api/qr/codes/${id}`;
    await making.onMade(resource);
    return { resource, path: `/r/${id}` };
  });
  return found ? { ...made, code: found } : made;
};

const picturesFor = async (making: Making, landing: Made | undefined): Promise<Material['pictures']> => {
  if (landing === undefined) return {};
  const { pictures, failure } = await storePictures(making.api, landing.resource, making.signal);
  if (failure !== undefined) making.say(`pictures of the examples are missing: ${failure}`);
  return pictures;
};

/**
 * Creates a landing page, a menu and a form, each with a code. One that fails is left out, and the reason is printed.
 * @throws once the signal is aborted
 */
export const makeExamples = async (making: Making): Promise<Example[]> => {
  const landing = await attempt(making, 'there is no example of a landing page', () =>
    makeLandingPage(making),
  );
  const pictures = await picturesFor(making, landing);
  const madeForm = await attempt(making, 'there is no example of a form', () =>
    makeForm(making, { pictures, links: {} }),
  );
  const urlOf = ({ path }: Made): string => `${making.qrHost}${path}`;
  const toForm = madeForm ? { form: urlOf(madeForm) } : {};
  const madeMenu = await attempt(making, 'there is no example of a menu', () =>
    makeMenu(making, { pictures, links: toForm }),
  );
  if (landing) {
    const links = { ...toForm, ...(madeMenu ? { menu: urlOf(madeMenu) } : {}) };
    await attempt(making, 'the example of a landing page is without links and pictures', () =>
      making.api.call('PATCH', landing.resource, anything, bakery({ pictures, links })),
    );
  }
  const examples: Example[] = [];
  for (const made of [landing, madeMenu, madeForm]) if (made) examples.push(await withCode(making, made));
  return examples;
};
