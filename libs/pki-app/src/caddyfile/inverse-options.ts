/** Global options of the app `pki`, written again. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  objectAt,
  optionLines,
  words,
  type Line,
  type WriteGlobalOption,
  type WrittenOption,
} from '@sluice/caddyfile';

/** `pki { ca ID { … } }`: those that only say that their root is not installed are not written. */
export const pki: WriteGlobalOption = (document) => {
  const block = Object.entries(authorities(document)).flatMap(([id, authority]): Line[] => {
    const { install_trust: installed, ...fields } = objectAt(authority, []);
    const lines = authorityLines(fields);
    if (lines.length === 0) return installed === undefined ? [{ words: ['ca', id] }] : [];
    return [{ words: ['ca', id], block: lines }];
  });
  return block.length === 0 ? null : [{ block }];
};

/** `skip_install_trust` */
export const skipInstallTrust: WriteGlobalOption = (document) => {
  const all = Object.values(authorities(document));
  return all.some((each) => isObject(each) && each['install_trust'] === false) ? [{}] : null;
};

function authorities(document: Json): JsonObject {
  return objectAt(document, ['apps', 'pki', 'certificate_authorities']);
}

const options: readonly WrittenOption[] = [
  ['name', 'name'],
  ['root_cn', 'root_common_name'],
  ['intermediate_cn', 'intermediate_common_name'],
  ['intermediate_lifetime', 'intermediate_lifetime', durationWord],
  ['maintenance_interval', 'maintenance_interval', durationWord],
  ['renewal_window_ratio', 'renewal_window_ratio'],
];

function authorityLines(authority: JsonObject): Line[] {
  return [
    ...optionLines(authority, options),
    ...['root', 'intermediate'].flatMap((name): Line[] => {
      const pair = authority[name];
      if (!isObject(pair)) return [];
      const files: readonly WrittenOption[] = [
        ['cert', 'certificate', words],
        ['key', 'private_key', words],
        ['format', 'format', words],
      ];
      return [{ words: [name], block: optionLines(pair, files) }];
    }),
  ];
}
