/** Marks the section being read in the navigation, and keeps its link in view. */
const nav = document.querySelector('.bar nav');

const startSections = () => {
  const entries = [...nav.querySelectorAll('a')].map((link) => ({
    link,
    section: document.getElementById(link.hash.slice(1)),
  }));
  let current;
  let isAsked = false;

  const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 2;

  /** The last section that has reached the navigation. The last ones of the page never do. */
  const findCurrent = () => {
    const shown = entries.filter(({ section }) => !section.hidden);
    const line = nav.getBoundingClientRect().bottom + 32;
    const isVisible = ({ section }) => section.getBoundingClientRect().bottom > line;
    if (isAtEnd() && scrollY > 0) {
      const target = shown.find(({ link }) => link.hash === location.hash);
      return target && isVisible(target) ? target : shown.at(-1);
    }
    return shown.findLast(({ section }) => section.getBoundingClientRect().top <= line) ?? shown[0];
  };

  /** Centred; if a link is wider than the navigation, its beginning is shown. */
  const keepInView = ({ link }) => {
    const [box, frame] = [link.getBoundingClientRect(), nav.getBoundingClientRect()];
    const half = Math.min(box.width, frame.width) / 2;
    const middle = document.dir === 'rtl' ? box.right - half : box.left + half;
    nav.scrollBy({ left: middle - (frame.left + frame.width / 2) });
  };

  const mark = () => {
    isAsked = false;
    const found = findCurrent();
    if (found === current) return;
    current?.link.removeAttribute('aria-current');
    found?.link.setAttribute('aria-current', 'true');
    if (found) keepInView(found);
    current = found;
  };

  const ask = () => {
    if (!isAsked) requestAnimationFrame(mark);
    isAsked = true;
  };

  nav.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Otherwise each section would be a history entry, and Back would lead through all of them.
    event.preventDefault();
    location.replace(link.hash);
    ask();
  });
  addEventListener('scroll', ask, { passive: true });
  addEventListener('resize', ask);
  addEventListener('filtered', ask);
  ask();
};

if (nav) startSections();
