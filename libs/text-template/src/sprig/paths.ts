/** Template functions for slash-separated paths and operating system paths. */
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { text } from '../functions/parameters.ts';

/** Returns the shortest equivalent path. Removes `//` and `.`, and resolves `..` where possible. */
function cleanPath(path: string): string {
  const rooted = path.startsWith('/');
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!rooted) kept.push('..');
  }
  const joined = kept.join('/');
  if (rooted) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return end === 0 ? '/' : path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function directory(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf('/') + 1));
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot);
}

const baseOf = declare([text], base);
const dirOf = declare([text], directory);
const clean = declare([text], cleanPath);
const ext = declare([text], extension);
const isAbs = declare([text], (path) => path.startsWith('/'));

/** Path functions. The `os` functions also use slashes, as Caddy does on Unix. */
export const paths: Readonly<Record<string, TemplateFunction>> = {
  base: baseOf,
  dir: dirOf,
  clean,
  ext,
  isAbs,
  osBase: baseOf,
  osDir: dirOf,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
};
