/** What a model may be asked for, and what a good one answers. */
import { type ModelAnswer, says, startModelServer } from './model-server.ts';

export const luna =
  'Luna bakery, sourdough since 1987. Order at https://luna.example/order or hello@luna.example, +49 30 1234567.';

export const pageAnswer = {
  name: 'Luna',
  headline: 'Luna bakery',
  subheadline: null,
  body: 'Sourdough since 1987.',
  buttons: [
    { label: 'Order', destination: 'https://luna.example/order', hint: null },
    { label: 'Write', destination: 'mailto:hello@luna.example', hint: null },
    { label: 'Call', destination: 'tel:+49301234567', hint: null },
  ],
  socials: [],
  theme: { name: 'paper' },
};

export const menuAnswer = {
  name: 'Menu',
  headline: null,
  subheadline: null,
  footer: null,
  sections: [
    {
      name: 'Starters',
      description: null,
      items: [
        { name: 'Soup', description: null, price: '€ 6,50', allergens: ['Celery'], dietary: [] },
        { name: 'Bruschetta', description: null, price: '€ 8', allergens: [], dietary: [] },
      ],
    },
  ],
  buttons: [],
  socials: [],
  theme: { name: 'market' },
};

export const look = {
  name: 'Crust',
  shape: 'square',
  dots: { type: 'rounded', color: '#5b2a12' },
  eyes: { type: 'extra-rounded', color: '#5b2a12' },
  eyeCenters: { type: 'dot', color: '#8a3d17' },
  background: '#fff7ea',
  frame: { id: 'scanme', text: 'Menu', color: '#5b2a12' },
};

export const faint = {
  ...look,
  name: 'Faint',
  dots: { type: 'dots', color: '#f4f4f0' },
  background: '#ffffff',
  frame: null,
};

const answers: Readonly<Record<string, object>> = {
  landing_page: pageAnswer,
  menu: menuAnswer,
  looks: { looks: [look, look, look] },
};

/** A good answer to whatever is asked for. */
const answersWell: ModelAnswer = (response, received) =>
  says(answers[received.body.response_format?.json_schema.name ?? ''] ?? {})(response, received);

/** A model for tests with another subject. @returns the environment of a control plane that asks it */
export const startModelStandIn = async (): Promise<{ AI_URL: string; AI_MODEL: string }> => {
  const server = await startModelServer();
  server.answer(answersWell);
  return { AI_URL: server.url, AI_MODEL: 'stand-in' };
};
