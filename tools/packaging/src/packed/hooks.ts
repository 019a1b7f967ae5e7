/**
 * Preloaded into all processes of a test of packed packages (`npm run test:packed`): what is imported of the sources of a package is
 * taken from the package that is installed, so that what runs is what users get. `SLUICE_PACKED` is the folder in which it
 * is installed, `SLUICE_PACKED_SOURCES` that in which the importing files believe the sources to be.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const prefix = process.env['SLUICE_PACKED'] ?? '';
const root = `${pathToFileURL(process.env['SLUICE_PACKED_SOURCES'] ?? prefix).href}/`;
/** Where each package is installed, by the path of its sources. */
const installed = JSON.parse(readFileSync(join(prefix, 'packed.json'), 'utf8')) as Readonly<Record<string, string>>;
const source = /^(.+?)\/src\/(.+)\.tsx?$/;

registerHooks({
  resolve(specifier, context, next) {
    const isPath = specifier.startsWith('file:') || specifier.startsWith('.');
    const url = isPath ? new URL(specifier, context.parentURL).href : '';
    if (!url.startsWith(root)) return next(specifier, context);
    const [, path = '', file = ''] = source.exec(url.slice(root.length)) ?? [];
    const built = join(installed[path] ?? '', 'dist', `${file}.js`);
    // What is built into one file, as the page of the dashboard is, has no files of its own: it is read as it is packed.
    return next(installed[path] !== undefined && existsSync(built) ? pathToFileURL(built).href : specifier, context);
  },
});
