/**
 * Module hooks for processes that test packed packages (`npm run test:packed`). Imports of a package's sources resolve to the installed
 * package, so tests run the published code. `SLUICE_PACKED` is the installation directory. `SLUICE_PACKED_SOURCES` is the directory where
 * importing files expect the sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const prefix = process.env['SLUICE_PACKED'] ?? '';
const root = `${pathToFileURL(process.env['SLUICE_PACKED_SOURCES'] ?? prefix).href}/`;
/** Directory of each installed package, by the path of its sources. Empty if a test starts a program without the environment variable. */
const installed = JSON.parse(prefix === '' ? '{}' : readFileSync(join(prefix, 'packed.json'), 'utf8')) as Readonly<
  Record<string, string>
>;
const source = /^(.+?)\/src\/(.+)\.tsx?$/;

registerHooks({
  resolve(specifier, context, next) {
    const isPath = specifier.startsWith('file:') || specifier.startsWith('.');
    const url = isPath ? new URL(specifier, context.parentURL).href : '';
    if (!url.startsWith(root)) return next(specifier, context);
    const [, path = '', file = ''] = source.exec(url.slice(root.length)) ?? [];
    const built = join(installed[path] ?? '', 'dist', `${file}.js`);
    // Some source files, such as the dashboard page, are bundled and do not exist separately. Imports of such files resolve to the bundle.
    return next(installed[path] !== undefined && existsSync(built) ? pathToFileURL(built).href : specifier, context);
  },
});
