/** `node facts.mjs` prints the facts about this workspace that `@sluice/create-module` includes. */
import { factsOfWorkspace } from './generator.mjs';

console.log(JSON.stringify(factsOfWorkspace()));
