/** Option schemas shared by several matchers. As in Caddy, `null` in a string list is the empty string. */
import { anything, listOptions, mapOptions } from '@sluice/registry';

const nullableText = { type: ['string', 'null'] };

/** Declares options that form a string list; read them with {@link textsOf}. */
export function textList(help: string, examples: readonly unknown[]) {
  return listOptions(help, anything(nullableText), { examples });
}

/** Declares options that map a name to a list of strings or `null`; read a list with {@link textsOf}. */
export function textListMap(help: string, examples: readonly unknown[]) {
  return mapOptions(help, anything({ type: ['array', 'null'], items: nullableText }), { examples });
}

/** Returns the strings of a list from either schema above; `null` is an empty list. */
export function textsOf(list: unknown): readonly string[] {
  return ((list as readonly (string | null)[] | null) ?? []).map((text) => text ?? '');
}
