/** A place: in the phone's own maps, or on OpenStreetMap. */
import { html } from 'hono/html';
import { type Geo, parseGeo, writeCoordinates, writeGeoUri } from '#shared/payloads/geo.ts';
import { button, card, copyButton, row, statusLine, type View } from './parts.ts';

/** The link for Safari, which does not know `geo:` links. */
const appleMaps = (place: string, { label }: Geo): string =>
  `https://maps.apple.com/?ll=${place}&q=${encodeURIComponent((label ?? place).toWellFormed())}`;

const openStreetMap = (place: string): string => {
  const [latitude, longitude] = place.split(',');
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
};

export const showGeo = (payload: string): View => {
  const geo = parseGeo(payload);
  if (!geo) return undefined;
  const place = writeCoordinates(geo);
  return {
    icon: 'pin',
    title: geo.label ?? 'A place on the map',
    body: html`${card(
      row(
        'Latitude, longitude',
        html`<span id="place">${place}</span>`,
        copyButton('place', 'the coordinates'),
      ),
    )}
<a class="button" href="${writeGeoUri(geo)}" data-ios="${appleMaps(place, geo)}">Open in maps</a>
${button(openStreetMap(place), 'See it on OpenStreetMap', true)}
${statusLine}`,
  };
};
