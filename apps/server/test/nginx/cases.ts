/** Reads test cases from nginx configurations. The comments at the beginning of each file contain the requests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CaseRequest {
  /** Original text of the request, for messages. */
  readonly source: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of the port to connect to: `main`, `second` or `tls`. */
  readonly port: string;
  /** Size of the request body in bytes. */
  readonly body: number;
  /** SNI to send. `null` sends the host, and an empty string sends no SNI. */
  readonly sni: string | null;
  /** Name of the client certificate. An empty string sends none. */
  readonly client: string;
  /** Maximum TLS version. */
  readonly tls: string;
  readonly http2: boolean;
}

export interface Case {
  readonly name: string;
  /** The nginx configuration. Placeholders such as `@main@` stand for ports and directories. */
  readonly text: string;
  readonly requests: readonly CaseRequest[];
}

/** Reads all test cases in a directory. */
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

/** Parses a request line: `#> GET /path | Host: example.com | port: tls | sni: other.test | client: ann | version: 2 | body: 100`. */
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
