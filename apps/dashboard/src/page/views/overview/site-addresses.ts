/** Addresses at which a configuration serves, to be tried. */
import { isList, isObject, valueAt, type Json } from '../../base/json.ts';

/** Such as `http://localhost:8080/`; of each server the first. */
export function siteAddresses(config: Json | undefined): string[] {
  const servers = valueAt(config, ['apps', 'http', 'servers']);
  if (!isObject(servers)) return [];
  return Object.values(servers).flatMap((server) => {
    const listen = valueAt(server, ['listen']);
    const [first] = isList(listen) ? listen : [];
    const [, host = '', port = ''] = /^(?:tcp\/)?(.*):(\d+)/.exec(String(first ?? '')) ?? [];
    if (port === '') return [];
    const name = host === '' || host === '0.0.0.0' || host === '[::]' ? 'localhost' : host;
    return [port === '443' ? `https://${name}/` : `http://${name}${port === '80' ? '' : `:${port}`}/`];
  });
}
