/**
 * `npm run package` builds the server's npm package. `--binary` also builds the standalone executable, `--deb` its Debian package, and
 * `--image-root DIRECTORY` the image file system. `--folder DIRECTORY` builds only the npm package in that directory, as the nx target
 * `package` does for the server's tests.
 */
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cliFolder, makeNpmPackage } from './npm-package.ts';
import { ownTarget } from './targets.ts';
import { makeEngine } from './waf-engine.ts';

const { values: asked } = parseArgs({
  options: {
    binary: { type: 'boolean' },
    deb: { type: 'boolean' },
    'image-root': { type: 'string' },
    folder: { type: 'string', default: cliFolder },
  },
});
const root = asked['image-root'];

await makeNpmPackage(resolve(asked.folder));
console.log(`made: ${asked.folder}`);
if (asked.folder === cliFolder) addEngine(join(cliFolder, 'engine'));
if (asked.binary === true || asked.deb === true || root !== undefined) {
  const { makeBinary, binaryFile } = await import('./binary/make-binary.ts');
  await makeBinary();
  addEngine(dirname(binaryFile));
  console.log(`made: ${binaryFile}`);
}
if (asked.deb === true) {
  const { makeDebianPackage } = await import('./debian/debian-package.ts');
  console.log(`made: ${makeDebianPackage()}`);
}
if (root !== undefined) {
  const { makeImageRoot } = await import('./image/image-root.ts');
  makeImageRoot(resolve(root));
  console.log(`made: ${resolve(root)}`);
}

function addEngine(folder: string): void {
  const reason = makeEngine(folder, ownTarget());
  if (reason !== null)
    console.warn(`without the engine of the web application firewall (http.handlers.waf does not start): ${reason}`);
}
