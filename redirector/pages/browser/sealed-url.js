/** A sealed web address: its link is followed by a tap only. */
import { linkTo, textCard, views, webUrl } from './sealed-views.js';

const showUrl = (text) => {
  const url = webUrl(text);
  if (!url) return undefined;
  return {
    title: 'This code leads to a website',
    content: [textCard(url.href), linkTo(url.href, `Open ${url.host}`, 'button')],
  };
};

Object.assign(views, { url: showUrl, gs1: showUrl });
