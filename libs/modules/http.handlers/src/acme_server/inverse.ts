/** An ACME server as `acme_server`. */
import { isObject, type Json } from '@sluice/base';
import { durationWord, noWords, optionLines, written, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `acme_server { … }` */
export const acmeServer: WriteDirective = (handler) => {
  const policy = isObject(handler['policy']) ? handler['policy'] : {};
  const block = [
    ...optionLines(handler, [
      ['ca', 'ca'],
      ['lifetime', 'lifetime', durationWord],
      ['resolvers', 'resolvers'],
      ['challenges', 'challenges'],
      ['sign_with_root', 'sign_with_root', noWords],
    ]),
    ...optionLines(policy, [['allow_wildcard_names', 'allow_wildcard_names', noWords]]),
    ...rules('allow', policy['allow']),
    ...rules('deny', policy['deny']),
  ];
  return written([], block);
};

function rules(option: string, value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  const block = optionLines(value, [
    ['domains', 'domains'],
    ['ip_ranges', 'ip_ranges'],
  ]);
  return [{ words: [option], block }];
}
