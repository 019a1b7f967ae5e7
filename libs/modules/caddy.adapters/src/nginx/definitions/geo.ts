/** Translates `geo`, which defines a variable that depends on the client address. Also handles the unsupported directive `split_clients`. */
import type { Adaptation } from '../adaptation.ts';
import { passing, setVariables, subroute, type Node } from '../json.ts';
import type { Definitions } from '../site.ts';
import { argument, type Directive } from '../syntax/directive.ts';
import { escapeBraces } from '../text/expand.ts';
import { variableKey } from '../text/variables.ts';
import { define } from './define.ts';

/** Options in a `geo` block. All other entries are address ranges. */
const options: ReadonlySet<string> = new Set(['default', 'ranges', 'delete', 'proxy', 'proxy_recursive', 'include']);

/** Defines the variable of a `geo` block. Wider ranges are evaluated first, so the narrowest matching range takes precedence. */
export function defineGeo(adaptation: Adaptation, defined: Definitions, directive: Directive): void {
  const [first = '', second] = directive.args;
  const name = (second ?? first).replace(/^\$/, '');
  const source = second === undefined ? '$remote_addr' : first;
  const entries = directive.block ?? [];
  if (source !== '$remote_addr')
    adaptation.warn(directive, `geo supports only the client address, which is used instead of ${source}`);
  for (const entry of entries)
    if (entry.name === 'ranges' || entry.name === 'delete' || entry.name.startsWith('proxy'))
      adaptation.warn(entry, `${entry.name} of geo is not supported and is ignored`);
  const fallback = entries.find((entry) => entry.name === 'default');
  const ranges = entries.filter((entry) => !options.has(entry.name)).sort((a, b) => bits(a) - bits(b));
  const key = variableKey(name);
  const set = (value: string): Node => setVariables({ [key]: escapeBraces(value) });
  define(defined, name, `{http.vars.${key}}`, () => [
    subroute([
      passing([set(fallback?.args[0] ?? '')]),
      ...ranges.map((entry) =>
        passing([set(argument(entry, 0, 'a value'))], [{ client_ip: { ranges: [entry.name] } }]),
      ),
    ]),
  ]);
}

function bits({ name }: Directive): number {
  const [address = '', length] = name.split('/');
  const max = address.includes(':') ? 128 : 32;
  return (length === undefined ? max : Number(length)) / max;
}

/** Sets the variable of `split_clients` to its last value for all clients. */
export function defineSplit(adaptation: Adaptation, defined: Definitions, directive: Directive): void {
  const name = argument(directive, 1, 'a variable').replace(/^\$/, '');
  const value = directive.block?.at(-1)?.args[0] ?? '';
  adaptation.warn(directive, `split_clients is not supported; $${name} is ${JSON.stringify(value)} for all clients`);
  define(defined, name, escapeBraces(value), () => []);
}
