/** The document of a hosted page: the shell, the style sheet of the blocks that all kinds share, and pictures. */
import { readStyle } from '#shared/pages/assets.ts';
import { type DocumentParts, type HtmlDocument, renderDocument } from '#shared/pages/document.ts';

const style = readStyle(new URL('./hosted.css', import.meta.url));

/** Pictures may come from anywhere: owners give their URLs. */
const imageSources = "'self' https: http:";

export const renderHosted = ({ styles = [], ...parts }: DocumentParts): HtmlDocument =>
  renderDocument({ images: imageSources, ...parts, styles: [style, ...styles] });
