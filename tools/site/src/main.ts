/** `npm run site [-- directory]` builds the documentation site. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist/site', import.meta.url)));
const { pages } = buildSite(root, folder);
console.log(`${pages} pages in ${folder}`);
