/** The syntax of modules that have no options. */
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
