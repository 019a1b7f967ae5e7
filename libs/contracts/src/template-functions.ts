/** Contract of modules that add functions to templates. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Functions } from '@sluice/text-template';

/** Functions that a module adds to templates. */
export interface TemplateFunctionSet {
  /** By name; they are synchronous. A name of a standard function replaces it. */
  readonly functions: Functions;
}

/** `http.handlers.templates.functions`: the keys of `match` of the handler. */
export const templateFunctions: Namespace<TemplateFunctionSet> = namespace<TemplateFunctionSet>(
  'http.handlers.templates.functions',
);
