/** `sluice mcp`: Model Context Protocol server. It enables programs to read a server's configuration and to propose changes. */
import { once } from 'node:events';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { CommandError } from '../../failure.ts';
import { reserveOutput } from '../reserve-output.ts';
import type { CallApi } from '../../mcp/tools.ts';

export interface McpOptions {
  readonly address?: string;
  readonly http?: string;
  readonly module?: readonly string[];
}

/** Serves MCP over standard input until the input ends, or over HTTP until the process exits. */
export async function mcp({ address, http, module }: McpOptions): Promise<number> {
  const admin = adminAddress(address, null);
  const output = http === undefined ? reserveOutput() : null;
  const [{ toolServer }, { describeText }] = await Promise.all([
    import('../../mcp/tools.ts').catch(notInstalled),
    import('./doc.ts'),
  ]);
  const describe = (name: string): Promise<string> => describeText(name, module);
  if (http !== undefined) {
    const { serveHttp } = await import('../../mcp/serve-http.ts');
    const server = await serveHttp(http, (token) => toolServer(callsTo(admin, token), describe));
    process.stdout.write(`serving the Model Context Protocol at http://${http}/mcp\n`);
    await once(server, 'close');
    return 0;
  }
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const transport = new StdioServerTransport(process.stdin, output ?? process.stdout);
  const server = toolServer(callsTo(admin), describe);
  await server.connect(transport);
  await once(process.stdin, 'end');
  await server.close();
  return 0;
}

/** Throws an error with instructions if the protocol library is missing, as in a source checkout without development dependencies. */
function notInstalled(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
  throw new CommandError('mcp requires @modelcontextprotocol/sdk: run npm install in the checkout', error);
}

/** Returns a function that calls the admin API with the given token, or else with the token in the environment. */
function callsTo(address: string, token?: string): CallApi {
  return ({ method, path, body }) =>
    callAdmin({
      address,
      method,
      path,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: token === '' ? '' : `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}
