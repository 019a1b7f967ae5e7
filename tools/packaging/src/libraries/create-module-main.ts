/** `node create-module-main.ts`: makes the package `@sluice/create-module`. */
import { makeCreateModule } from './create-module.ts';

console.log(`made: ${makeCreateModule()}`);
