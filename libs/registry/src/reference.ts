/** What is loaded to read about modules, and by no server: `sluice doc` and the pages of docs/reference. */
export { findInReference, type Found } from './reference/find.ts';
export { Reference, type ModuleEntry } from './reference/module-reference.ts';
export { describeOptions, type OptionReference } from './reference/option-reference.ts';
