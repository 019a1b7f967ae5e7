/** An issuer over ACME as `acme`. */
import { isObject, type Json } from '@sluice/base';
import {
  durationWord,
  noWords,
  optionLines,
  words,
  written,
  type Line,
  type WriteModule,
  type WrittenOption,
} from '@sluice/caddyfile';
import { dnsLines } from '../common/dns-inverse.ts';

const ownOptions: readonly WrittenOption[] = [
  ['dir', 'ca'],
  ['test_dir', 'test_ca'],
  ['email', 'email'],
  ['profile', 'profile'],
  ['timeout', 'acme_timeout', durationWord],
  ['lifetime', 'certificate_lifetime', durationWord],
  ['trusted_roots', 'trusted_roots_pem_files'],
];

/** `acme { … }` */
export const writeAcme: WriteModule = async (options, writer) => {
  if (!isObject(options)) return null;
  const challenges = isObject(options['challenges']) ? options['challenges'] : {};
  const { external_account: account, preferred_chains: chains } = options;
  const block: Line[] = [
    ...optionLines(options, ownOptions),
    ...challengeLines(challenges['http'], 'disable_http_challenge', 'alt_http_port'),
    ...challengeLines(challenges['tls-alpn'], 'disable_tlsalpn_challenge', 'alt_tlsalpn_port'),
    ...(challenges['distributed'] === false ? [{ words: ['distributed', 'false'] }] : []),
    ...(await dnsLines(challenges['dns'], writer)),
    ...(isObject(account) ? [{ words: ['eab', ...words(account['key_id']), ...words(account['mac_key'])] }] : []),
    ...chainLines(chains),
  ];
  return [written([], block)];
};

function challengeLines(value: Json | undefined, disabled: string, port: string): Line[] {
  if (!isObject(value)) return [];
  return optionLines(value, [
    [disabled, 'disabled', noWords],
    [port, 'alternate_port'],
  ]);
}

function chainLines(chains: Json | undefined): Line[] {
  if (!isObject(chains)) return [];
  if (chains['smallest'] === true) return [{ words: ['preferred_chains', 'smallest'] }];
  const block = optionLines(chains, [
    ['root_common_name', 'root_common_name'],
    ['any_common_name', 'any_common_name'],
  ]);
  return [{ words: ['preferred_chains'], block }];
}
