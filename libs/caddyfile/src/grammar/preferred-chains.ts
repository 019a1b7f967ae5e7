/** The `preferred_chains` option of the global options and of ACME issuers. It selects one of the certificate chains that a CA offers. */
import { isObject, type Json } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import { list } from './values.ts';
import type { Term } from './term.ts';
import { words } from '../inverse/values.ts';

const block = {
  root_common_name: list('<name>…', { help: 'Prefers the first chain whose root has one of these common names.' }),
  any_common_name: list('<name>…', { help: 'Prefers the first chain that contains one of these common names.' }),
};

function readChains(reader: Dispenser): Json {
  if (reader.nextArgument()) {
    if (reader.value !== 'smallest') throw reader.error(`preferred_chains: '${reader.value}' is not 'smallest'`);
    reader.noArguments();
    for (const option of reader.block())
      throw reader.error(`preferred_chains: '${option}' cannot be combined with 'smallest'`);
    return { smallest: true };
  }
  const fields: Record<string, readonly string[]> = {};
  for (const option of reader.block()) {
    if (!Object.hasOwn(block, option)) throw reader.error(`invalid subdirective '${option}'`);
    const other = Object.keys(fields).find((known) => known !== option);
    if (other !== undefined) throw reader.error(`preferred_chains accepts either '${other}' or '${option}', not both`);
    fields[option] = [...(fields[option] ?? []), ...reader.arguments()];
  }
  if (Object.keys(fields).length === 0)
    throw reader.error("preferred_chains requires 'smallest', or names in a block: root_common_name, any_common_name");
  return fields;
}

/** Either `preferred_chains smallest`, or a block with common names. The names are those of roots, or of any certificate in a chain. */
export const preferredChains: Term = {
  shown: '[smallest]',
  block,
  read: (reader, draft, option) => draft.put([option], readChains(reader)),
  write(option, fields) {
    const chains = fields[option];
    if (!isObject(chains)) return [];
    if (chains['smallest'] === true) return [{ words: [option, 'smallest'] }];
    return [
      { words: [option], block: Object.entries(chains).map(([name, names]) => ({ words: [name, ...words(names)] })) },
    ];
  },
};
