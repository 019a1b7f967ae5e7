/** Reads test cases: nginx configurations whose first comments contain the requests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CaseRequest {
  /** Source text, for messages. */
  readonly source: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the port: `main`, `second` or `tls`. */
  readonly port: string;
  /** Body size in bytes. */
  readonly body: number;
  /** SNI; `null` means the host, empty means none. */
  readonly sni: string | null;
  /** Name of the client certificate; empty means none. */
  readonly client: string;
  /** Maximum TLS version. */
  readonly tls: string;
  /** True to use HTTP/2. */
  readonly http2: boolean;
}

export interface Case {
  readonly name: string;
  /** The configuration, with names such as `@main@` instead of ports and directories. */
  readonly text: string;
  readonly requests: readonly CaseRequest[];
}

/** Reads all cases in a directory. */
export function readCases(folder: string): Case[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.conf'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      const requests = text
        .split('\n')
        .filter((line) => line.startsWith('#> '))
        .map(readRequest);
      return { name: name.replace('.conf', ''), text, requests };
    });
}

/** Parses `#> GET /path | Host: example.com | port: tls | sni: other.test | client: ann | version: 2 | body: 100`. */
function readRequest(line: string): CaseRequest {
  const source = line.slice(3).trim();
  const [start = '', ...fields] = source.split(' | ');
  const [method = 'GET', target = '/'] = start.split(' ');
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 1).trim()]),
  );
  const { port = 'main', body = '0', sni = null, client = '', tls = 'TLSv1.3', version = '1', ...rest } = headers;
  return { source, method, target, headers: rest, port, body: Number(body), sni, client, tls, http2: version === '2' };
}
