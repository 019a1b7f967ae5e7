/** `node facts.mjs` prints the facts of this workspace, which `@sluice/create-module` contains. */
import { factsOfWorkspace } from './generator.mjs';

console.log(JSON.stringify(factsOfWorkspace()));
