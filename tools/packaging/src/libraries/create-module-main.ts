/** `node create-module-main.ts` builds the package `@sluice/create-module`. */
import { makeCreateModule } from './create-module.ts';

console.log(`made: ${makeCreateModule()}`);
