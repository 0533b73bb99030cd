/** Shows the meaning of a payload on a phone: one page for each type that is not a location. */
import type { DataType } from '#schemas/api/data-types.ts';
import { createPages, jsonPage } from '../layout.ts';
import type { Page } from '../page.ts';
import { showEmail } from './email.ts';
import { showGeo } from './geo.ts';
import { showMecard } from './mecard.ts';
import type { View } from './parts.ts';
import { showPhone } from './phone.ts';
import { showSms } from './sms.ts';
import { showText } from './text.ts';
import { showVcalendar } from './vcalendar.ts';
import { showVcard } from './vcard.ts';
import { showWifi } from './wifi.ts';

/** A location is redirected to and has no page. A `url` or `gs1` that is no location is shown as text. */
const views: Record<DataType, (payload: string) => View> = {
  url: showText,
  gs1: showText,
  text: showText,
  email: showEmail,
  wifi: showWifi,
  vcard: showVcard,
  sms: showSms,
  phone: showPhone,
  geo: showGeo,
  vcalendar: showVcalendar,
  mecard: showMecard,
};

const render = createPages({ script: 'content.js' });

export const renderContent = (dataType: DataType, payload: string, wantsPage: boolean): Page =>
  wantsPage
    ? render('200 OK', views[dataType](payload) ?? showText(payload))
    : jsonPage('200 OK', { dataType, data: payload });
