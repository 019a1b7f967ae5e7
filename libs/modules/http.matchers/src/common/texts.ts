/** Option schemas shared by several matchers. As in Caddy, `null` in a string list means the empty string. */
import { anything, listOptions, mapOptions } from '@sluice/registry';

const nullableText = { type: ['string', 'null'] };

/** Declares an option that is a list of strings. Read its value with {@link textsOf}. */
export function textList(help: string, examples: readonly unknown[]) {
  return listOptions(help, anything(nullableText), { examples });
}

/** Declares an option that maps names to string lists or `null`. Read each list with {@link textsOf}. */
export function textListMap(help: string, examples: readonly unknown[]) {
  return mapOptions(help, anything({ type: ['array', 'null'], items: nullableText }), { examples });
}

/** Returns the strings of a configured list. `null` means an empty list. */
export function textsOf(list: unknown): readonly string[] {
  return ((list as readonly (string | null)[] | null) ?? []).map((text) => text ?? '');
}
