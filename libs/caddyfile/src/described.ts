/** Gives the syntaxes of a package the descriptions that it keeps in one file. */
import type { ModuleSyntaxContribution } from './http/contributions.ts';
import type { Description } from './http/description.ts';

/** The contributions with their descriptions, which are loaded when they are shown. They are found by what follows the namespace. */
export function described(
  namespace: string,
  contributions: readonly ModuleSyntaxContribution[],
  load: () => Promise<Readonly<Record<string, Description>>>,
): ModuleSyntaxContribution[] {
  return contributions.map((contribution) => {
    const name = contribution.name.slice(namespace.length + 1);
    const describe = async (): Promise<Description> => {
      const description = (await load())[name];
      if (description === undefined) throw new Error(`the syntax of ${contribution.name} is not described`);
      return description;
    };
    return { ...contribution, describe };
  });
}
