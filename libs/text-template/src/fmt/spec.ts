/** A verb in a format string, with its flags. */

/** Flags, width and precision of a verb. Null means not specified. */
export interface Spec {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` flag: print field names of structs. */
  plusV: boolean;
  /** `%#v` flag: print values in Go syntax. */
  sharpV: boolean;
  width: number | null;
  precision: number | null;
}

/** Returns a spec without flags, width and precision. */
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

/** Pads text to the width, which is counted in characters. */
export function pad(text: string, spec: Spec): string {
  const { width } = spec;
  if (width === null) return text;
  let missing = width - text.length;
  if (missing <= 0 && text.length === width) return text;
  // Correct the padding: a character outside the Basic Multilingual Plane is two code units.
  for (const character of text) if (character.length > 1) missing++;
  if (missing <= 0) return text;
  if (spec.minus) return text + ' '.repeat(missing);
  return (spec.zero ? '0' : ' ').repeat(missing) + text;
}

/** Returns a copy of the spec without the zero-padding flag. */
export function withoutZero(spec: Spec): Spec {
  return { ...spec, zero: false };
}
