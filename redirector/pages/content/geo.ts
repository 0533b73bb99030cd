/** A place: in the maps of the asking phone, or on OpenStreetMap. */
import { type Geo, parseGeo, writeCoordinates, writeGeoUri } from '#shared/payloads/geo.ts';
import { encodePart } from '#shared/payloads/links.ts';
import { button, card, copied, copyButton, type Device, row, type Show, statusLine } from './fragments.ts';

const openStreetMap = (place: string): string => {
  const [latitude, longitude] = place.split(',');
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
};

/** Safari does not support `geo:` links; desktops rarely have an app for them. */
const mapLink = (device: Device | undefined, geo: Geo, place: string): string | undefined => {
  if (device === 'ios') return `https://maps.apple.com/?ll=${place}&q=${encodePart(geo.label ?? place)}`;
  return device === 'android' ? writeGeoUri(geo) : undefined;
};

export const showGeo: Show = (payload, { words: { place: words }, device }) => {
  const geo = parseGeo(payload);
  if (!geo) return undefined;
  const place = writeCoordinates(geo);
  const own = mapLink(device, geo, place);
  return {
    title: geo.label ?? words.title,
    body: [
      card(row(words.coordinates, copied('place', place))),
      own && button(own, words.open),
      button(openStreetMap(place), words.openStreetMap, own === undefined ? 'main' : 'second'),
      copyButton('place', words.copy, 'button'),
      statusLine,
    ],
  };
};
