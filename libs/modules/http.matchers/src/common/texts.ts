/** Schemas of options that several matchers share. As in the reference, `null` in a list of texts is the empty text. */
import { anything, listOptions, mapOptions } from '@sluice/registry';

const nullableText = { type: ['string', 'null'] };

/** Options that are a list of texts; read it with {@link textsOf}. */
export function textList(help: string, examples: readonly unknown[]) {
  return listOptions(help, anything(nullableText), { examples });
}

/** Options that map a name to a list of texts or `null`; read a list with {@link textsOf}. */
export function textListMap(help: string, examples: readonly unknown[]) {
  return mapOptions(help, anything({ type: ['array', 'null'], items: nullableText }), { examples });
}

/** The texts of a list of either of the schemas above; `null` is an empty list. */
export function textsOf(list: unknown): readonly string[] {
  return ((list as readonly (string | null)[] | null) ?? []).map((text) => text ?? '');
}
