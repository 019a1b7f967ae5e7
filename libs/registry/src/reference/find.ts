/** Resolves a dotted path in the reference, for example `http.handlers.encode.gzip.level`. */
import type { ModuleEntry, Reference } from './module-reference.ts';
import type { OptionReference } from './option-reference.ts';

export type Found =
  | { readonly kind: 'root' }
  | { readonly kind: 'namespace'; readonly namespace: string }
  | { readonly kind: 'module'; readonly module: ModuleEntry }
  | { readonly kind: 'option'; readonly module: ModuleEntry; readonly path: string; readonly option: OptionReference }
  | { readonly kind: 'unknown'; readonly part: string; readonly within: string; readonly among: readonly string[] };

/**
 * Resolves a path: a module or namespace ID, followed by names of options and hosted modules.
 *
 * Keys that users choose, such as server names, can be omitted or written as `*`. List indexes can be omitted, too.
 */
export function findInReference(reference: Reference, text: string): Found {
  const parts = text.split(/[./[\]]/).filter((part) => part !== '' && part !== '*' && !/^\d+$/.test(part));
  if (parts[0] === 'apps') parts.shift();
  if (parts.length === 0) return { kind: 'root' };
  const whole = parts.join('.');
  const isNamespace = reference.namespaces().some((each) => each === whole || each.startsWith(`${whole}.`));
  if (isNamespace && !reference.entries.has(whole)) return { kind: 'namespace', namespace: whole };
  for (let length = parts.length; length > 0; length--) {
    const module = reference.entries.get(parts.slice(0, length).join('.'));
    if (module !== undefined) return follow(reference, module, parts.slice(length));
  }
  return { kind: 'unknown', part: whole, within: '', among: [] };
}

function follow(reference: Reference, from: ModuleEntry, parts: readonly string[]): Found {
  let module = from;
  let option = module.options;
  let path: string[] = [];
  for (const part of parts) {
    const inner = option.options.find(({ name }) => name === part);
    if (inner !== undefined) {
      option = inner;
      path.push(part);
      continue;
    }
    const hosted = hostedIn(reference, option);
    const next = hosted.find(({ name }) => name === part);
    if (next === undefined) {
      const within = [module.id, ...path].join('.');
      const among = [...option.options.map(({ name }) => name), ...hosted.map(({ name }) => name)];
      return { kind: 'unknown', part, within, among };
    }
    module = next;
    option = module.options;
    path = [];
  }
  return path.length === 0 ? { kind: 'module', module } : { kind: 'option', module, path: path.join('.'), option };
}

/**
 * Returns the modules that an option can host. For a module, returns the modules that any of its options can host, so that `encode.gzip`
 * resolves.
 */
function hostedIn(reference: Reference, option: OptionReference): ModuleEntry[] {
  const hosts = option.modules === null ? option.options : [option];
  return hosts.flatMap(({ modules }) => (modules === null ? [] : reference.inNamespace(modules.namespace)));
}
