/** Defines variables for the servers that use them. */
import type { Node } from '../json.ts';
import type { Definitions, Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';
import { expandText } from '../text/expand.ts';

/** Translates a string in the definition, using the variables of the server. */
export type DefinitionText = (source: string, at: Directive) => string;

/** Defines a variable. Its handlers are created per server, because its value may depend on the server. */
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
