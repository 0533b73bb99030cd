/** The pictures of codes in memory, for the features that draw them or prove a style. */
import { redirectUrl } from '#shared/redirect-url.ts';
import { oncePerProcess } from '../../framework/feature.ts';
import { brandKitsOf } from '../brand-kits/feature.ts';
import { createPictures, type Pictures } from './pictures.ts';

export const picturesOf = oncePerProcess((services): Pictures => {
  const { config, renderer, metrics } = services;
  const pictures = createPictures({
    renderer,
    kits: brandKitsOf(services),
    urlOf: (code) => redirectUrl(config.qrHost, code),
  });
  metrics.gauge('pictures_bytes', 'Bytes of pictures held in memory', () => pictures.statistics().bytes);
  return pictures;
});
