import { namespace, type Namespace } from '@sluice/registry';
import type { Functions } from '@sluice/text-template';

/** Functions that a module adds to templates. */
export interface TemplateFunctionSet {
  /** Synchronous functions keyed by name. They override standard template functions with the same name. */
  readonly functions: Functions;
}

/** Module namespace `http.handlers.templates.functions`. The keys of the handler's `match` option are the module names. */
export const templateFunctions: Namespace<TemplateFunctionSet> = namespace<TemplateFunctionSet>(
  'http.handlers.templates.functions',
);
