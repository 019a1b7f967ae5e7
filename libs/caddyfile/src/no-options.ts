/** The syntax of modules and global options that have no options. */
import type { Dispenser } from './dispenser/dispenser.ts';
import type { ModuleSyntax, ModuleSyntaxContribution } from './http/contributions.ts';

/** Accepts the name alone. */
const noOptions: ModuleSyntax = (reader) => {
  reader.noArguments();
  return {};
};

/** The contribution of a module without options. `id` is the module's. */
export function withoutOptions(id: string): ModuleSyntaxContribution {
  return { name: id, load: () => Promise.resolve(noOptions) };
}

/** A global option that is only there or not. What follows has no effect, as in the reference, with a warning. */
export function readFlag(reader: Dispenser): true {
  const { value: name } = reader;
  if (reader.next()) reader.modules.warn(reader.token, `${name}: what follows '${reader.value}' has no effect`);
  return true;
}
