/** The document of a hosted page: the shell, the style sheet of the blocks that all kinds share, and pictures. */
import { readStyle } from '#shared/pages/assets.ts';
import { type RenderedPage, renderShell, type ShellParts } from '#shared/pages/shell.ts';

const style = readStyle(new URL('./hosted.css', import.meta.url));

/** For pages with check boxes or radio buttons. */
export const controlStyle = readStyle(new URL('./controls.css', import.meta.url));

/** For pages with fields of a form, with {@link controlStyle}. */
export const fieldStyle = readStyle(new URL('./fields.css', import.meta.url));

/** For pages with a portrait or a monogram, and for messages that name their owner. */
export const ownerStyle = readStyle(new URL('./owner.css', import.meta.url));

/** Pictures may come from anywhere: owners give their URLs. */
const imageSources = "'self' https: http:";

export const renderHosted = ({ styles = [], ...parts }: ShellParts): RenderedPage =>
  renderShell({ images: imageSources, ...parts, styles: [style, ...styles] });
