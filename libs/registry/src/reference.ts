/** Reference documentation of modules, for `sluice doc` and `docs/reference`. Servers never load it. */
export { findInReference, type Found } from './reference/find.ts';
export { Reference, type ModuleEntry } from './reference/module-reference.ts';
export { describeOptions, type OptionReference } from './reference/option-reference.ts';
