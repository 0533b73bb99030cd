/** A code's own messages, in place of those of its workspace, if it leads nowhere. */
import { z } from 'zod';
import { visibleLabel, visibleText } from './hosted-fields.ts';
import { whyNoLink } from './links.ts';
import { boundedText } from './text.ts';

const titleLengthMax = 120;
const textLengthMax = 1000;
const buttonLengthMax = 80;
const urlLengthMax = 2000;

const link = boundedText(urlLengthMax).superRefine((text, context) => {
  const message = whyNoLink(text);
  if (message !== undefined) context.addIssue({ code: 'invalid_format', format: 'url', message });
});

const button = z
  .strictObject({
    label: visibleLabel(buttonLengthMax).describe('The text on the button.'),
    url: link.describe('Where it leads: an `http:`, `https:`, `mailto:` or `tel:` URL.'),
  })
  .describe('The way on, above those of the workspace.');

const ownMessage = z
  .strictObject({
    title: visibleLabel(titleLengthMax).optional().describe('Replaces the title.'),
    text: visibleText(textLengthMax).optional().describe('Replaces the text below the title.'),
    button: button.optional(),
  })
  .refine((message) => Object.values(message).some((value) => value !== undefined), {
    message: 'must have at least one of title, text, button',
  });

export const messages = z
  .strictObject({
    inactive: ownMessage.optional().describe('If the code is switched off.'),
    notStarted: ownMessage.optional().describe('Before its `startsAt`.'),
    expired: ownMessage.optional().describe('If it has expired.'),
    capped: ownMessage.optional().describe('If its scan cap is reached.'),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    message: 'must have at least one of inactive, notStarted, expired, capped',
  });
export type Messages = z.output<typeof messages>;
