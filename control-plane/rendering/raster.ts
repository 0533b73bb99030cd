/** The last stage for pictures of pixels: SVG → PNG, by sharp (librsvg and libvips). */
import sharp from 'sharp';

// One thread for one picture, and nothing kept: the pool decides how many are drawn at once, and a picture is never
// drawn twice from the same source. Without this memory grows with the number of different pictures.
sharp.concurrency(1);
sharp.cache(false);

/** @param svg whose width and height are the picture's size in pixels */
export const toPng = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png().toBuffer();
