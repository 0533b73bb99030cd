/** Shows the content of a payload on a phone: one page for each type that is not a location. */
import { createHash } from 'node:crypto';
import type { DataType } from '#schemas/api/data-types.ts';
import { readScript } from '../assets.ts';
import { createPages, jsonPage, type PageContent } from '../layout.ts';
import type { Page } from '../page.ts';
import { showEmail } from './email.ts';
import type { Show } from './fragments.ts';
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

const render = createPages({ script: readScript('enliven.js', 'content.js') });

/** The same as browser/encrypted.js computes from the opened text. */
const uidOf = (payload: string): string => createHash('sha256').update(payload).digest('hex').slice(0, 32);

const renderPayload = (dataType: DataType, payload: string): Page => {
  const { icon, show } = views[dataType];
  const view = show(payload, () => uidOf(payload));
  const content = view ? { icon, ...view } : { icon: text.icon, ...showText(payload) };
  return render('200 OK', { ...content, body: writeParts(content.body) });
};

export const renderContent = (dataType: DataType, payload: string, wantsPage: boolean): Page =>
  wantsPage ? renderPayload(dataType, payload) : jsonPage('200 OK', { dataType, data: payload });
