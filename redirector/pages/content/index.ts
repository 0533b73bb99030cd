/** Shows the content of a payload on a phone: one page for each type that is not a location. */
import { createHash } from 'node:crypto';
import type { DataType } from '#schemas/api/data-types.ts';
import type { OperatingSystem } from '#schemas/scan-event.ts';
import type { Language } from '#shared/languages.ts';
import { readScript } from '#shared/pages/assets.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { type About, jsonPage, type PageContent, renderScanPage } from '../layout.ts';
import type { Page } from '../page.ts';
import type { Reader } from '../reader.ts';
import { showEmail } from './email.ts';
import type { Show, Viewer } from './fragments.ts';
import { showGeo } from './geo.ts';
import { showMecard } from './mecard.ts';
import { showPhone } from './phone.ts';
import { showSms } from './sms.ts';
import { showText } from './text.ts';
import { showVcalendar } from './vcalendar.ts';
import { showVcard } from './vcard.ts';
import { showWifi } from './wifi.ts';
import { writeParts } from './write-elements.ts';

interface Shown {
  icon: PageContent['icon'];
  show: Show;
}

const text: Shown = { icon: 'text', show: showText };

/** Locations are redirected to and have no page. A `url` or `gs1` that is not a location is shown as text. */
const views: Record<DataType, Shown> = {
  url: text,
  gs1: text,
  text,
  email: { icon: 'mail', show: showEmail },
  wifi: { icon: 'wifi', show: showWifi },
  vcard: { icon: 'person', show: showVcard },
  sms: { icon: 'message', show: showSms },
  phone: { icon: 'phone', show: showPhone },
  geo: { icon: 'pin', show: showGeo },
  vcalendar: { icon: 'calendar', show: showVcalendar },
  mecard: { icon: 'person', show: showMecard },
};

const scripts = ['enliven.js', 'content.js'].map((name) => new URL(`../browser/${name}`, import.meta.url));
const script = readScript(...scripts);

/** The same as browser/encrypted.js computes from the opened text. */
const uidOf = (payload: string): string => createHash('sha256').update(payload).digest('hex').slice(0, 32);

export interface ContentPageOptions {
  reader: Reader;
  about: About;
  /** Pages name the settings of the asking phone. */
  os: OperatingSystem;
}

const renderPayload = (
  dataType: DataType,
  payload: string,
  language: Language,
  { about, os }: ContentPageOptions,
): Page => {
  const words = wordsOf[language].data;
  const viewer: Viewer = {
    language,
    words,
    device: os === 'ios' || os === 'android' ? os : undefined,
    uid: () => uidOf(payload),
  };
  const { icon, show } = views[dataType];
  const view = show(payload, viewer);
  const { title, lead, body } = view ?? showText(payload, viewer);
  return renderScanPage(
    '200 OK',
    {
      icon: view ? icon : text.icon,
      title: { text: title },
      ...(lead && { lead: { text: lead } }),
      body: writeParts(body),
    },
    { language, about, script, data: { language, copied: words.copied, copyFailed: words.copyFailed } },
  );
};

export const renderContent = (dataType: DataType, payload: string, options: ContentPageOptions): Page =>
  options.reader === 'program'
    ? jsonPage('200 OK', { dataType, data: payload })
    : renderPayload(dataType, payload, options.reader, options);
