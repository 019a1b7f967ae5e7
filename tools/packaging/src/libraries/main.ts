/** `node main.ts [PATH…]` builds the packages of all libraries, or of the libraries at the given paths, such as `libs/base`. */
import { makeCreateModule } from './create-module.ts';
import { librariesFolder, makeLibraryPackage } from './library-package.ts';
import { publishedPackages } from './published.ts';

const asked = process.argv.slice(2);
for (const each of publishedPackages()) if (asked.length === 0 || asked.includes(each.path)) makeLibraryPackage(each);
if (asked.length === 0) makeCreateModule();
console.log(`made: ${librariesFolder}`);
