import type { Scenario } from '../scenario.ts';
import { basicAuthScenario } from './basic-auth.ts';
import { encodeScenario } from './encode.ts';
import { fileServerScenario } from './file-server.ts';
import { headersScenario } from './headers.ts';
import { mapScenario } from './map.ts';
import { rewriteScenario } from './rewrite.ts';

/** Scenarios in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  rewriteScenario,
  headersScenario,
  mapScenario,
  encodeScenario,
  basicAuthScenario,
  fileServerScenario,
];
