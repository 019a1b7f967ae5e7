/** Supports boolean flags with a value, such as `--browse=false`, as in Caddy. */
import type { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { optionOf } from './option.ts';

const yes = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const no = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Converts boolean flags with values to plain flags. Removes flags whose value is false. Other arguments remain unchanged. */
export function withoutFlagValues(args: readonly string[], spec: CommandSpec): string[] {
  const [name = '', ...rest] = args;
  const inner = spec.subcommands?.find((command) => command.name === name);
  if (inner !== undefined) return [name, ...withoutFlagValues(rest, inner)];
  const options = spec.options.map(optionOf);
  const end = args.indexOf('--');
  const ours = end < 0 ? args : args.slice(0, end);
  return [
    ...ours.flatMap((arg, index) => (isValue(ours, index, options) ? arg : plain(arg, options))),
    ...args.slice(ours.length),
  ];
}

function plain(arg: string, options: readonly Option[]): string | [] {
  const [, name, value = ''] = /^(--?[^=]+)=(.*)$/.exec(arg) ?? [];
  if (name === undefined || !options.some((option) => !takesValue(option) && isNamed(option, name))) return arg;
  if (yes.has(value)) return name;
  return no.has(value) ? [] : arg;
}

/** Reports whether an argument is the value of the preceding option. */
function isValue(args: readonly string[], index: number, options: readonly Option[]): boolean {
  const before = args[index - 1];
  return before !== undefined && options.some((option) => takesValue(option) && isNamed(option, before));
}

function isNamed({ long, short }: Option, name: string): boolean {
  return long === name || short === name;
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}
