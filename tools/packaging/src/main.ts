/** `npm run package`: makes the npm package of the server, and with `--binary` the program that needs no Node. */
import { makeNpmPackage, cliFolder } from './npm-package.ts';

await makeNpmPackage();
console.log(`made: ${cliFolder}`);
if (process.argv.includes('--binary')) {
  const { makeBinary, binaryFile } = await import('./binary/make-binary.ts');
  await makeBinary();
  console.log(`made: ${binaryFile}`);
}
