import { namespace, type Namespace } from '@sluice/registry';
import type { Functions } from '@sluice/text-template';

/** Functions that a module adds to templates. */
export interface TemplateFunctionSet {
  /** Synchronous functions by name. They override standard functions with the same name. */
  readonly functions: Functions;
}

/** `http.handlers.templates.functions`: the keys of the handler's `match`. */
export const templateFunctions: Namespace<TemplateFunctionSet> = namespace<TemplateFunctionSet>(
  'http.handlers.templates.functions',
);
