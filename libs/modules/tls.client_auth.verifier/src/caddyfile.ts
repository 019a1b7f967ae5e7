/** Caddyfile syntax of the client certificate verifiers: `leaf LOADER …`, `leaf { LOADER …; … }` */
import { isObject } from '@sluice/base';
import { Draft, modules, syntax, type Dispenser } from '@sluice/caddyfile';

const loaders = modules('tls.leaf_cert_loader', 'loader', 'leaf_certs_loaders');
const line = { ...loaders, shown: '[<loader> …]' };

export const syntaxes = {
  leaf: syntax(
    {
      line,
      others: { ...loaders, shown: '<loader> …' },
      within: ['example.com', 'tls', 'client_auth'],
      example: 'mode require_and_verify\nverifier leaf folder /etc/clients',
    },
    {
      read(reader: Dispenser) {
        const draft = new Draft();
        if (reader.nextArgument()) {
          const name = reader.value;
          const isBare = !reader.nextArgument();
          if (!isBare) reader.back();
          // As in Caddy, a loader without arguments on the first line has no effect.
          if (isBare && !reader.opensBlock)
            reader.modules.warn(reader.token, `leaf: unknown loader '${name}' has no effect`);
          else loaders.read(reader, draft, name);
        }
        for (const name of reader.block()) loaders.read(reader, draft, name);
        return draft.fields;
      },
      async write(options, writer) {
        if (!isObject(options)) return null;
        const block = (await loaders.write('', options, writer)) ?? [];
        const [only] = block;
        return [
          block.length === 1 && only !== undefined && only.block === undefined ? { words: only.words } : { block },
        ];
      },
    },
  ),
};
