/** Loads the explanation code on first use. */
import type { RunningServer } from '@sluice/registry';
import type { Explainer } from './explainer.ts';
import type { planRequests } from './plan.ts';
import type { readRequest } from './read-request.ts';
import type { recordedCases } from './recorded-cases.ts';
import type { testCaseOf } from './test-case.ts';

export interface ExplainModule {
  readonly Explainer: typeof Explainer;
  readonly planRequests: typeof planRequests;
  readonly readRequest: typeof readRequest;
  readonly recordedCases: typeof recordedCases;
  readonly testCaseOf: typeof testCaseOf;
}

export function loadExplain(): Promise<ExplainModule> {
  return import('./index.ts');
}

const explainers = new WeakMap<RunningServer, Explainer>();

/** Returns the server's explainer, which caches handler chains, and the other functions of the loaded module. */
export async function explainerOf(server: RunningServer): Promise<ExplainModule & { readonly explainer: Explainer }> {
  const module = await loadExplain();
  let explainer = explainers.get(server);
  if (explainer === undefined) explainers.set(server, (explainer = new module.Explainer()));
  return { ...module, explainer };
}
