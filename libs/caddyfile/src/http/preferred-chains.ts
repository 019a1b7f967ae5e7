/** Which of the chains that an authority offers is taken: for the global option and for issuers over ACME. */
import type { Json } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';

const lists = ['root_common_name', 'any_common_name'];

/** Reads `preferred_chains smallest`, or the names in its block: of roots, or of any certificate of a chain. */
export function readPreferredChains(reader: Dispenser): Json {
  if (reader.nextArgument()) {
    if (reader.value !== 'smallest') throw reader.error(`preferred_chains: '${reader.value}' is not 'smallest'`);
    reader.noArguments();
    for (const option of reader.block())
      throw reader.error(`preferred_chains: '${option}' has no place beside 'smallest'`);
    return { smallest: true };
  }
  const fields: Record<string, Json> = {};
  for (const option of reader.block()) {
    if (!lists.includes(option)) throw reader.error(`invalid subdirective '${option}'`);
    const other = Object.keys(fields).find((known) => known !== option);
    if (other !== undefined) throw reader.error(`preferred_chains takes '${other}' or '${option}', not both`);
    fields[option] = [...((fields[option] ?? []) as readonly string[]), ...reader.arguments()];
  }
  if (Object.keys(fields).length === 0)
    throw reader.error("preferred_chains wants 'smallest', or names in a block: root_common_name, any_common_name");
  return fields;
}
