/** Global options. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { durationText } from './values.ts';
import { objectAt, valueAt } from './trial.ts';
import { writeGlobalLogs } from './logs.ts';
import type { RouteWriter } from './route-writer.ts';
import type { Line } from '../inverse/written.ts';

/** Lines for the global block. */
export async function writeGlobalOptions(document: Json, writer: RouteWriter): Promise<readonly Line[]> {
  const http = objectAt(document, ['apps', 'http']);
  const lines: Line[] = [...adminLines(objectAt(document, ['admin']))];
  for (const name of ['http_port', 'https_port']) {
    if (http[name] !== undefined) lines.push({ words: [name, String(http[name])] });
  }
  for (const name of ['grace_period', 'shutdown_delay']) {
    if (typeof http[name] === 'number') lines.push({ words: [name, durationText(http[name])] });
  }
  if (http['metrics'] !== undefined) {
    const perHost = objectAt(http, ['metrics'])['per_host'] === true;
    lines.push(perHost ? { words: ['metrics'], block: [{ words: ['per_host'] }] } : { words: ['metrics'] });
  }
  lines.push(...automaticHttps(http), ...(await storageLines(document, writer)));
  lines.push(...(await writeGlobalLogs(document, writer)), ...trustLines(document));
  return lines;
}

function adminLines(admin: JsonObject): Line[] {
  const lines: Line[] = [];
  const { disabled, listen, origins, enforce_origin: enforce, config } = admin;
  if (disabled === true) lines.push({ words: ['admin', 'off'] });
  else if (typeof listen === 'string') {
    const block: Line[] = [];
    if (Array.isArray(origins)) block.push({ words: ['origins', ...origins.map(String)] });
    if (enforce === true) block.push({ words: ['enforce_origin'] });
    lines.push(block.length === 0 ? { words: ['admin', listen] } : { words: ['admin', listen], block });
  }
  if (objectAt(config, [])['persist'] === false) lines.push({ words: ['persist_config', 'off'] });
  return lines;
}

/** The modes that all servers share. */
function automaticHttps(http: JsonObject): Line[] {
  const [server] = Object.values(objectAt(http, ['servers']));
  const settings = objectAt(server, ['automatic_https']);
  const modes: string[] = [];
  if (settings['disable'] === true) modes.push('off');
  if (settings['disable_redirects'] === true) modes.push('disable_redirects');
  if (settings['disable_certificates'] === true) modes.push('disable_certs');
  if (settings['ignore_loaded_certificates'] === true) modes.push('ignore_loaded_certs');
  return modes.length === 0 ? [] : [{ words: ['auto_https', ...modes] }];
}

async function storageLines(document: Json, writer: RouteWriter): Promise<Line[]> {
  const storage = valueAt(document, ['storage']);
  if (!isObject(storage)) return [];
  const { module, ...options } = storage;
  const lines = await writer.module(`caddy.storage.${String(module)}`, options);
  const [first] = lines ?? [];
  return first === undefined ? [] : [{ ...first, words: ['storage', ...first.words] }];
}

/** The authority of this machine, whose root is not to be trusted. */
function trustLines(document: Json): Line[] {
  const authority = objectAt(document, ['apps', 'pki', 'certificate_authorities', 'local']);
  return authority['install_trust'] === false ? [{ words: ['skip_install_trust'] }] : [];
}
