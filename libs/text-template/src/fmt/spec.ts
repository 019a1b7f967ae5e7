/** A verb of a format string, with its flags. */

/** Flags, width and precision; null = not specified. */
export interface Spec {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v`: structs with field names. */
  plusV: boolean;
  /** `%#v`: values in Go syntax. */
  sharpV: boolean;
  width: number | null;
  precision: number | null;
}

/** Returns a spec without flags. */
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
  // Characters outside the basic multilingual plane are two code units, so the padding is corrected.
  for (const character of text) if (character.length > 1) missing++;
  if (missing <= 0) return text;
  if (spec.minus) return text + ' '.repeat(missing);
  return (spec.zero ? '0' : ' ').repeat(missing) + text;
}

/** Returns the same flags without zero padding. */
export function withoutZero(spec: Spec): Spec {
  return { ...spec, zero: false };
}
