/** Runs templates and compares their output with output recorded from Caddy: tools/conformance, cases "templates …". */
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { serve } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { registerPathMatcher } from './path-matcher.ts';

interface Step {
  readonly path?: string;
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  readonly only?: readonly string[];
}

interface Case {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly config: Json;
  readonly steps: readonly Step[];
}

interface Recorded {
  readonly status: number;
  readonly body?: Json;
}

/** Cases that are not run here, because they need a listening socket or their output names the server. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'templates request data': ['/t15.html', '/t16.html', '/t20.html'],
};

const conformance = path.join(import.meta.dirname, '../../../../../tools/conformance');
const read = (name: string): Promise<Buffer> => fs.readFile(path.join(conformance, name));
const cases = (JSON.parse((await read('cases/handlers.json')).toString()) as Case[]).filter(
  ({ name, config }) => name.startsWith('templates ') && !JSON.stringify(config).includes('reverse_proxy'),
);
const recorded = JSON.parse(gunzipSync(await read('recorded/cases/handlers.json.gz')).toString()) as Record<
  string,
  { readonly steps: readonly Recorded[] }
>;

/** Inserts the directory of the case into its configuration. Removes listeners. */
function filled(config: Json, folder: string): Json {
  const text = JSON.stringify(config).replaceAll('${DIR}', JSON.stringify(folder).slice(1, -1));
  return JSON.parse(text, (key, value: Json) => (key === 'listen' ? undefined : value)) as Json;
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, text);
    await fs.utimes(file, 1_600_000_000, 1_600_000_000);
  }
}

/** Converts a body to its recorded form: JSON if possible, and otherwise a string with one character per byte. */
function asRecorded(body: Buffer, folder: string): Json {
  const text = body.toString('latin1').replaceAll(folder, '${DIR}');
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

describe('templates compared with recorded responses', () => {
  const before = { ...process.env };
  let folder: string;

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'sluice-templates-'));
  });

  afterEach(async () => {
    process.env = { ...before };
    await fs.rm(folder, { recursive: true });
  });

  for (const { config, env, files, name, steps } of cases) {
    it(`templates respond to ${steps.length} requests of "${name}" as in the recording`, async () => {
      Object.assign(process.env, env);
      await writeFiles(folder, files ?? {});
      const server = await serve(filled(config, folder), { register: [register, registerPathMatcher] });
      for (const [index, step] of steps.entries()) {
        const target = step.path ?? '/';
        const wanted = recorded[name]?.steps[index];
        if (wanted === undefined || elsewhere[name]?.includes(target)) continue;
        const { headers = {}, host = '127.0.0.1:80', method = 'GET' } = step;
        const body = step.body === undefined ? {} : { body: step.body };
        const response = await server.request({ path: target, method, host, headers, ...body });
        expect(response.status, target).to.equal(wanted.status);
        const bodiless = method === 'HEAD' || [204, 304].includes(wanted.status);
        if (wanted.body !== undefined && !bodiless)
          expect(asRecorded(response.body, folder), target).to.deep.equal(wanted.body);
      }
      await server.close();
    });
  }
});
