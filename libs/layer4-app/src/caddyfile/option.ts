/** Global option `layer4 { ADDRESS … { … } }`. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  note,
  objectAt,
  option,
  readDuration,
  valueAt,
  words,
  type FinishConfig,
  type Line,
} from '@sluice/caddyfile';
import { readLayer4Routes, routesBlock, writeLayer4Routes } from './routes.ts';

export const layer4 = option(
  {
    at: 'apps.layer4.servers',
    block: {
      '<address>…': {
        ...note('', 'Layer 4 server that listens on these addresses.'),
        block: {
          ...routesBlock,
          idle_timeout: note('<duration>', 'Idle time after which a UDP peer is considered disconnected.'),
        },
      },
    },
    help: 'Routes TCP connections and UDP packets by their first bytes.',
    example: 'layer4 {\n\t:5022 {\n\t\t@ssh ssh\n\t\troute @ssh {\n\t\t\tproxy 10.0.0.1:22\n\t\t}\n\t}\n}',
  },
  {
    read(reader, earlier): JsonObject {
      const servers: Record<string, Json> = { ...((earlier ?? {}) as JsonObject) };
      reader.noArguments();
      for (const address of reader.block()) {
        const fields: Record<string, Json> = { listen: [address, ...reader.remaining()] };
        readLayer4Routes(reader, fields, (word) => {
          if (word !== 'idle_timeout') return false;
          fields['idle_timeout'] = readDuration(reader, reader.onlyArgument(), word);
          return true;
        });
        servers[`srv${Object.keys(servers).length}`] = fields;
      }
      return servers;
    },
    async write(document, writer) {
      const app = valueAt(document, ['apps', 'layer4']);
      if (!isObject(app)) return null;
      const block: Line[] = [];
      for (const server of Object.values(objectAt(app, ['servers']))) {
        if (!isObject(server)) return null;
        const lines = await writeLayer4Routes(server, writer);
        if (lines === null) return null;
        const idle = server['idle_timeout'];
        if (idle !== undefined && idle !== null) lines.push({ words: ['idle_timeout', ...durationWord(idle)] });
        block.push({ words: words(server['listen']), block: lines });
      }
      return [{ block }];
    },
  },
);

export const finishLayer4: FinishConfig = (apps, options) => {
  const servers = options.get<JsonObject>('layer4') ?? {};
  apps['layer4'] = Object.keys(servers).length === 0 ? {} : { servers };
};
