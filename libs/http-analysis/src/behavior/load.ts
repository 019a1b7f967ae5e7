/** Loads the comparison code on first use. */
import type { affectedBy } from './affected-requests.ts';
import type { compareBehavior, compareRequest, emptyReport } from './compare.ts';
import type { comparedRequests } from './compared-requests.ts';

export interface BehaviorModule {
  readonly affectedBy: typeof affectedBy;
  readonly compareBehavior: typeof compareBehavior;
  readonly compareRequest: typeof compareRequest;
  readonly comparedRequests: typeof comparedRequests;
  readonly emptyReport: typeof emptyReport;
}

export function loadBehavior(): Promise<BehaviorModule> {
  return import('./index.ts');
}
