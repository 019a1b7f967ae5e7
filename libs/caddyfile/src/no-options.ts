/** Global options that have no options. */
import type { Dispenser } from './dispenser/dispenser.ts';

/** A global option that is only there or not. What follows has no effect, as in the reference, with a warning. */
export function readFlag(reader: Dispenser): true {
  const { value: name } = reader;
  if (reader.next()) reader.modules.warn(reader.token, `${name}: what follows '${reader.value}' has no effect`);
  return true;
}
