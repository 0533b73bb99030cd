// The contents mark the place that the reader has come to.

const contents = document.getElementById('contents');

const links = new Map();
for (const link of contents?.querySelectorAll('a') ?? []) {
  const { pathname, hash } = new URL(link.href);
  if (pathname === location.pathname) links.set(hash.slice(1), link);
}

const rows = [...document.querySelectorAll('main > .row')];

const mark = () => {
  const middle = innerHeight / 3;
  const row = rows.findLast((each) => each.getBoundingClientRect().top < middle) ?? rows[0];
  const link = links.get(row?.id ?? '');
  if (!link || link.ariaCurrent === 'location') return;
  for (const each of links.values()) each.removeAttribute('aria-current');
  link.setAttribute('aria-current', 'location');
  if (!contents.matches(':popover-open')) link.scrollIntoView({ block: 'nearest', behavior: 'instant' });
};

if (contents) {
  let isAsked = false;
  addEventListener(
    'scroll',
    () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => {
        isAsked = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
  contents.addEventListener('click', ({ target }) => {
    if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
}

// Addresses of the page that was here before named the operation alone, as in /docs#/Webhooks/createWebhook.
const former = /^#\/[^/]+\/(\w+)$/.exec(location.hash)?.[1];
const moved =
  former && [...(contents?.querySelectorAll('a') ?? [])].find((link) => link.hash === `#${former}`);
if (moved) location.replace(moved.href);
