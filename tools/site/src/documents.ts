/** Documents of the site and their position in the navigation. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Markdown document and the page generated from it. */
export interface SiteDocument {
  /** Path in the workspace, such as `docs/guide/php.md`. */
  readonly path: string;
  /** Path in the site, such as `docs/guide/php.html`. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** A part of the navigation tree. */
export interface NavigationPart {
  readonly title: string;
  readonly documents: readonly SiteDocument[];
}

const patterns = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md', '{libs,libs/modules}/*/README.md'];

export function readDocuments(root: string): ReadonlyMap<string, SiteDocument> {
  const paths = globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort();
  return new Map(paths.map((path) => [path, documentOf(path, readFileSync(join(root, path), 'utf8'))]));
}

/** Returns a document with the path of its page. The title is the first heading. */
function documentOf(path: string, text: string): SiteDocument {
  const heading = /^# +(.+)$/m.exec(text)?.[1] ?? path;
  const page = path.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
  return { path, page, title: heading.replaceAll(/[`*\\]/g, ''), text };
}

/** Sorts guides in the order of the guide list, and other documents by name. */
function inOrderOf(list: SiteDocument | undefined, documents: readonly SiteDocument[]): readonly SiteDocument[] {
  const place = ({ path }: SiteDocument): number => {
    const at = list?.text.indexOf(`(${path.slice(path.lastIndexOf('/') + 1)})`) ?? -1;
    return at < 0 ? Number.MAX_SAFE_INTEGER : at;
  };
  return documents.toSorted((a, b) => place(a) - place(b));
}

export function navigationOf(documents: ReadonlyMap<string, SiteDocument>): readonly NavigationPart[] {
  const below = (prefix: string): SiteDocument[] =>
    [...documents.values()].filter(({ path }) => path.startsWith(prefix));
  const named = (...paths: string[]): SiteDocument[] => paths.flatMap((path) => documents.get(path) ?? []);
  const direct = (prefix: string): SiteDocument[] =>
    below(prefix).filter(({ path }) => !path.slice(prefix.length).includes('/'));
  return [
    { title: 'Sluice', documents: named('README.md', 'CHANGELOG.md', 'docs/benchmarks.md', 'docs/differences.md') },
    { title: 'Guides', documents: inOrderOf(documents.get('docs/guide/README.md'), below('docs/guide/')) },
    { title: 'Reference', documents: [...direct('docs/reference/'), ...named('docs/errors.md')] },
    { title: 'Modules', documents: below('docs/reference/modules/') },
    {
      title: 'Development',
      documents: [...named('docs/ARCHITECTURE.md', 'docs/security.md', 'CONTRIBUTING.md'), ...below('docs/adr/')],
    },
    { title: 'Packages', documents: below('libs/') },
  ];
}
