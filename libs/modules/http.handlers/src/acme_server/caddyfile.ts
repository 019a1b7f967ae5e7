/** `acme_server [matcher] { ca ID; lifetime TIME; resolvers …; challenges …; allow { … }; deny { … } }` */
import {
  asJson,
  compact,
  moduleObject,
  readDuration,
  tlsPiles,
  type ConfigValue,
  type DirectiveReader,
} from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Makes the handler `acme_server`. The authority that it names becomes one of the app `pki`. */
export function acmeServer(reader: DirectiveReader): readonly ConfigValue[] {
  const match = reader.matcher();
  const fields: Record<string, Json> = {};
  const policy: Record<string, Json> = {};
  let hasPolicy = false;
  reader.noArguments();
  for (const option of reader.block()) {
    switch (option) {
      case 'ca':
        fields['ca'] = reader.onlyArgument();
        break;
      case 'lifetime':
        fields['lifetime'] = readDuration(reader, reader.onlyArgument(), 'lifetime');
        break;
      case 'resolvers':
        fields['resolvers'] = reader.arguments();
        break;
      case 'challenges':
        fields['challenges'] = asJson([...((fields['challenges'] ?? []) as readonly Json[]), ...reader.remaining()]);
        break;
      case 'sign_with_root':
        reader.noArguments();
        fields['sign_with_root'] = true;
        break;
      case 'allow_wildcard_names':
        reader.noArguments();
        hasPolicy = true;
        policy['allow_wildcard_names'] = true;
        break;
      case 'allow':
      case 'deny':
        hasPolicy = true;
        policy[option] = readRules(reader);
        break;
      default:
        throw reader.error(`unrecognized ACME server directive: ${option}`);
    }
  }
  const handler = moduleObject('handler', 'acme_server', { ...compact(fields), ...(hasPolicy ? { policy } : {}) });
  const authority = fields['ca'] === undefined ? [] : [{ pile: tlsPiles.authority, value: fields['ca'] }];
  return [...reader.route(match, handler), ...authority];
}

function readRules(reader: DirectiveReader): JsonObject {
  const domains: string[] = [];
  const ranges: string[] = [];
  for (const option of reader.block()) {
    if (option === 'domains') domains.push(...reader.arguments());
    else if (option === 'ip_ranges') ranges.push(...reader.arguments());
    else throw reader.error(`unrecognized 'allow' subdirective: ${option}`);
  }
  return compact({ domains, ip_ranges: ranges });
}
