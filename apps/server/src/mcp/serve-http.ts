/** Serves the MCP tools over Streamable HTTP on a loopback address. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { guarded, taskOf, unawaited } from '@sluice/base';
import { CommandError } from '../failure.ts';

/** Maximum size of an MCP request body, in bytes. */
const maxBody = 4 * 1024 * 1024;

/** Returns an MCP server for one client. `token` is the token that the client sent, or empty. */
export type ToolsFor = (token: string) => McpServer;

/**
 * Listens on `host:port`. Each request carries a token, which the admin API verifies. This server has no permissions of its own. Requests
 * from web pages are rejected, because a page could access a loopback address through DNS rebinding.
 */
export async function serveHttp(address: string, toolsFor: ToolsFor): Promise<Server> {
  const { hostname, port } = addressOf(address);
  const server = createServer((request, response) => {
    respond(request, response, toolsFor).catch(
      guarded(taskOf('mcp'), (error: unknown) => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
        throw error;
      }),
    );
  });
  server.listen(port, hostname);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  return server;
}

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function addressOf(address: string): { readonly hostname: string; readonly port: number } {
  const url = URL.parse(`http://${address}`);
  if (url === null || url.port === '' || url.pathname !== '/')
    throw new CommandError(`--http ${address}: expected host and port, such as localhost:2020`);
  if (!loopback.has(url.hostname))
    throw new CommandError(
      `--http ${address}: only loopback addresses are supported; to serve other machines, use a reverse proxy`,
    );
  return { hostname: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port) };
}

async function respond(request: IncomingMessage, response: ServerResponse, toolsFor: ToolsFor): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const named = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!loopback.has(named) || request.headers.origin !== undefined)
    return reject(response, 403, 'requests from web pages are not allowed');
  if (pathname !== '/mcp') return reject(response, 404, 'unknown path; the MCP endpoint is /mcp');
  if (request.method !== 'POST') return reject(response, 405, 'only POST is supported');
  const body = await bodyOf(request);
  if (body === null) return reject(response, 413, `the body exceeds ${maxBody} bytes`);
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return reject(response, 400, 'the body is not JSON');
  }
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  // Create a new MCP server for each request, because there are no sessions. It has the permissions of the request's token.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = toolsFor(token);
  response.once(
    'close',
    guarded(taskOf('mcp'), () => unawaited(taskOf('mcp'), server.close())),
  );
  await server.connect(transport);
  await transport.handleRequest(request, response, message);
}

function reject(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify({ error }));
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
