/** Search of the site. Its index is in index.js, which is loaded when the user starts searching. */
(() => {
  const root = document.documentElement.dataset.root;
  const field = document.getElementById('search');
  const results = document.getElementById('results');
  let chosen = -1;

  /** Loads the index. */
  let loading = null;
  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}assets/index.js`;
      script.addEventListener('load', () => resolve(globalThis.searchIndex));
      script.addEventListener('error', reject);
      document.head.append(script);
    }));

  /** Returns how well a section matches the words; 0 means not at all. */
  const fit = ([page, title, , heading, text], words) => {
    let sum = 0;
    for (const word of words) {
      const [inTitle, inHeading] = [title.toLowerCase().indexOf(word), heading.toLowerCase().indexOf(word)];
      const points =
        (inTitle === 0 ? 12 : inTitle > 0 ? 7 : 0) +
        (inHeading === 0 ? 8 : inHeading > 0 ? 5 : 0) +
        (text.toLowerCase().includes(word) ? 2 : 0);
      if (points === 0) return 0;
      sum += points;
    }
    return sum + (page.startsWith('docs/guide/') ? 2 : page.startsWith('libs/') ? -3 : 0);
  };

  const show = (found) => {
    chosen = -1;
    results.replaceChildren(
      ...found.map(([page, title, anchor, heading, text]) => {
        const item = document.createElement('li');
        const link = document.createElement('a');
        const excerpt = document.createElement('small');
        item.role = 'option';
        link.href = `${root}${page}${anchor === '' ? '' : `#${anchor}`}`;
        link.textContent = heading === title ? title : `${title} › ${heading}`;
        excerpt.textContent = text;
        link.append(excerpt);
        item.append(link);
        return item;
      }),
    );
    results.hidden = found.length === 0;
    field.setAttribute('aria-expanded', String(!results.hidden));
  };

  const search = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return show([]);
    const sections = await load();
    const rated = sections.map((section) => [fit(section, words), section]).filter(([points]) => points > 0);
    show(
      rated
        .sort(([a], [b]) => b - a)
        .slice(0, 12)
        .map(([, section]) => section),
    );
  };

  const choose = (step) => {
    const items = [...results.children];
    if (items.length === 0) return;
    items[chosen]?.classList.remove('chosen');
    chosen = (chosen + step + items.length) % items.length;
    items[chosen].classList.add('chosen');
    items[chosen].scrollIntoView({ block: 'nearest' });
  };

  field.addEventListener('input', () => void search());
  field.addEventListener('focus', () => void load());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(1);
    else if (event.key === 'ArrowUp') choose(-1);
    else if (event.key === 'Enter') results.children[Math.max(chosen, 0)]?.firstChild.click();
    else if (event.key === 'Escape') show([]);
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('header')) show([]);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    field.focus();
  });
  const query = new URLSearchParams(location.search).get('q');
  if (query !== null) {
    field.value = query;
    void search();
  }
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'center' });
})();
