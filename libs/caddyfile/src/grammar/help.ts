/** Provides help texts of JSON options for Caddyfile descriptions. Loaded only where help is displayed. */
import { isArray, type Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { describeOptions, type OptionReference } from '@sluice/registry/reference';
import type { Description } from '../http/description.ts';
import type { Path } from './draft.ts';
import type { Declared, Help } from './grammar.ts';

/** Describes a module syntax, directive, or global option. Uses the help texts of the module's options, or of the options below `base`. */
export async function describeSyntax(
  declared: Declared<unknown, unknown>,
  name: string,
  module: { readonly registry: Registry; readonly namespace: string; readonly name: string; readonly base?: Path },
): Promise<Description> {
  const { base = [] } = module;
  const descriptor = await module.registry.find({ id: module.namespace }, module.name)?.load();
  const reference = descriptor === undefined ? null : describeOptions(descriptor.config);
  const help: Help = {
    module: base.length === 0 ? (descriptor?.help ?? '') : helpOf(reference, base),
    option: (path) => helpOf(reference, [...base, ...path]),
  };
  return declared.describe(name, help);
}

/** Returns the help text of an option, including the default value. */
function helpOf(reference: OptionReference | null, path: Path): string {
  let option = reference ?? undefined;
  for (const key of path) option = inside(option, key);
  const { help = '', default: value } = option ?? {};
  const says = value === undefined || typeof value === 'boolean' || /default/i.test(help);
  return says ? help : `${help} Default: ${shown(value)}.`.trim();
}

function inside(option: OptionReference | undefined, key: string): OptionReference | undefined {
  return option?.options.find(({ name }) => name === key);
}

function shown(value: Json): string {
  if (isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value);
}
