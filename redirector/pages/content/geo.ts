/** A place: in the phone's own maps, or on OpenStreetMap. */
import { type Geo, parseGeo, writeCoordinates, writeGeoUri } from '#shared/payloads/geo.ts';
import { encodePart } from '#shared/payloads/links.ts';
import { element } from './elements.ts';
import { button, card, copied, copyButton, row, type Show, statusLine } from './fragments.ts';

/** The link for Safari, which does not support `geo:` links. */
const appleMaps = (place: string, { label }: Geo): string =>
  `https://maps.apple.com/?ll=${place}&q=${encodePart(label ?? place)}`;

const openStreetMap = (place: string): string => {
  const [latitude, longitude] = place.split(',');
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
};

export const showGeo: Show = (payload) => {
  const geo = parseGeo(payload);
  if (!geo) return undefined;
  const place = writeCoordinates(geo);
  return {
    title: geo.label ?? 'A place on the map',
    body: [
      card(row('Latitude, longitude', copied('place', place), copyButton('place', 'the coordinates'))),
      element(
        'a',
        { class: 'button', href: writeGeoUri(geo), 'data-ios': appleMaps(place, geo) },
        'Open in maps',
      ),
      button(openStreetMap(place), 'See it on OpenStreetMap', true),
      statusLine,
    ],
  };
};
