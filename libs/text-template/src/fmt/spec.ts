/** One verb of a format string with its flags. */

/** Flags, width and precision; null where there is none. */
export interface Spec {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v`: fields with their names. */
  plusV: boolean;
  /** `%#v`: values as Go source. */
  sharpV: boolean;
  width: number | null;
  precision: number | null;
}

/** No flags at all. */
export function plainSpec(): Spec {
  return {
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
    width: null,
    precision: null,
  };
}

/** Pads to the width, counted in characters. */
export function pad(text: string, spec: Spec): string {
  const { width } = spec;
  if (width === null) return text;
  let missing = width - text.length;
  if (missing <= 0 && text.length === width) return text;
  // Characters beyond the basic plane are two units; count again before padding less than asked for.
  for (const character of text) if (character.length > 1) missing++;
  if (missing <= 0) return text;
  if (spec.minus) return text + ' '.repeat(missing);
  return (spec.zero ? '0' : ' ').repeat(missing) + text;
}

/** The same flags without padding by zeros. */
export function withoutZero(spec: Spec): Spec {
  return { ...spec, zero: false };
}
