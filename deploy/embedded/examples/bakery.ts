/** The example landing page: a bakery. */
import type { z } from 'zod';
import type { createLandingPageBody } from '#schemas/api/landing-pages.ts';
import type { Content } from './content.ts';

export const bakery: Content<z.input<typeof createLandingPageBody>> = ({ pictures, links }) => ({
  name: 'Larkham & Daughter',
  headline: 'Larkham & Daughter',
  subheadline: 'Bakery and long-table kitchen on the quay at Wexcombe',
  body: 'We bake through the night and open at seven. On Friday and Saturday evenings one long table is laid for twenty-two, and Nell cooks what the boats have brought in.\n\nTuesday to Sunday, 7 am to 3 pm.',
  heroImageUrl: pictures.bakery,
  avatarUrl: pictures.sign,
  buttons: [
    ...(links.menu
      ? [
          {
            id: 'menu',
            label: 'See the menu',
            destination: links.menu,
            hint: 'Breakfast, lunch and the long table',
          },
        ]
      : []),
    ...(links.form
      ? [
          {
            id: 'seats',
            label: 'A seat at the long table',
            destination: links.form,
            hint: 'Fridays and Saturdays at seven',
          },
        ]
      : []),
    {
      id: 'bread',
      label: 'Order bread for tomorrow',
      destination: 'https://example.com/larkham/bread',
      hint: 'Until 6 pm, to collect from seven',
    },
    { id: 'call', label: 'Call the bakery', destination: 'tel:+441632960147', hint: '01632 960147' },
    {
      id: 'find',
      label: 'Find us on the quay',
      destination: 'https://example.com/larkham/map',
      hint: '12 Old Quay, by the ferry',
    },
  ],
  socials: [
    { id: 'instagram', platform: 'instagram', url: 'https://example.com/larkham/instagram' },
    { id: 'facebook', platform: 'facebook', url: 'https://example.com/larkham/facebook' },
    { id: 'youtube', platform: 'youtube', url: 'https://example.com/larkham/youtube' },
    { id: 'email', platform: 'email', url: 'hello@larkham.example' },
  ],
  theme: { accent: '#9a3f1b' },
});
