/** What each group of operations is for, in one or two sentences: the head of its page. */
import { scanTag } from '../http/operation.ts';

export const tagDescriptions: Readonly<Record<string, string>> = {
  'Dynamic codes':
    'Codes whose destination can be changed after they are printed. Their pattern encodes a short URL, and each scan ' +
    'of it is counted and sent on.',
  'Tags and folders': 'How a workspace keeps its codes in order. Scans do not depend on it.',
  Analytics:
    'Scans, of a code or of the whole workspace: counted by time and by what is known of the scanner, or one by one.',
  Pictures: 'Codes as PNG, SVG, WebP, JPEG and PDF, and links to them that need no key.',
  'Static codes': 'Codes that hold their content themselves. Nothing is stored, counted or changed later.',
  'Bulk operations': 'Many codes in one call, created, drawn or changed in the background.',
  Imports: 'Links of other services that become codes, and keep their short codes, dates and counts.',
  Exports:
    'All codes or all single scans in one file, which is written in the background and kept for 7 days.',
  'Landing pages': 'Pages with a headline, a text and buttons, which a code can lead to.',
  Forms: 'Forms that a code can lead to, and the answers to them.',
  Menus: 'Menus of restaurants with prices, allergens and filters, which a code can lead to.',
  'Brand kits': 'Looks that are stored once and applied to many codes.',
  'GS1 resolver': 'GS1 Digital Links: where the identifier of a product leads.',
  'Serialized codes':
    'Codes for single units. The first scan of a unit is authentic, and later ones are reported.',
  Webhooks: 'Receivers of events, and the log of what was sent to them.',
  'Event feed': 'The events of the last 30 days, for readers that no webhook can reach.',
  'Audit log': 'Who did what in the workspace.',
  Branding: 'Your name, logo, colours and words on the pages that people see.',
  'Custom domains': 'Your own host names for codes and pages.',
  'API keys': 'The keys of a workspace: what each may do, from where and until when.',
  Account: 'What your key opens, and how much of each quota and limit is used.',
  Billing: 'The plan, its quotas, and the receiver of the payment provider.',
  Abuse: 'How visitors report a code that leads to something harmful.',
  'Request log': 'The API calls of the last seven days, with their outcome, to find out what went wrong.',
  'Drafts by a model':
    'Looks of codes, landing pages and menus, drafted by a model from your words. Drafts are answered, and not stored.',
  'Tools for models':
    'The API as tools of the Model Context Protocol, for assistants such as Claude, and for editors.',
  'About this API': 'This document, its pages, and the health of the service.',
  [scanTag]:
    'Requests to the origin of the codes, which need no key. Browsers, whose `Accept` names `text/html`, get pages. ' +
    'Programs get JSON. “Try it” reaches the API only: send these requests with a browser or with curl.',
};
