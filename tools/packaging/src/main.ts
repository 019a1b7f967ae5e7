/**
 * `npm run package`: makes the npm package of the server; with `--binary` the program that needs no Node, with `--deb` the Debian
 * package of that, and with `--image-root FOLDER` the file system of an image. `--folder FOLDER` makes the npm package there: the target
 * `package` of nx does that for the tests of the server.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cliFolder, makeNpmPackage } from './npm-package.ts';

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
if (asked.binary === true || asked.deb === true || root !== undefined) {
  const { makeBinary, binaryFile } = await import('./binary/make-binary.ts');
  await makeBinary();
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
