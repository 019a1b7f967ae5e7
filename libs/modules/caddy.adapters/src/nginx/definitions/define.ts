/** Defines variables for use in servers. */
import type { Node } from '../json.ts';
import type { Definitions, Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';

/** Translates a string in a definition, with the variables of the server that uses it. */
export type DefinitionText = (source: string, at: Directive) => string;

/** Defines a variable. Its handlers are created separately for each server, because the value can depend on the server. */
export function define(
  defined: Definitions,
  name: string,
  placeholder: string,
  handlers: (text: DefinitionText) => Node[],
): void {
  defined.set(name, {
    placeholder,
    handlers: (site: Site) => handlers((source, at) => expandText(source, { site, scope: site.scope, at })),
  });
}
