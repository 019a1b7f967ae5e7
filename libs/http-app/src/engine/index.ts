/** HTTP engines, which implement the protocols between sockets and exchanges. */
export { ConnectionHost } from './connection-host.ts';
export { CutReports } from './cut-reports.ts';
export { EngineHost, newConnectionTime, type EngineConnection } from './engine-host.ts';
export { factsOf, type ServeSocket, type SocketChain, type SocketFacts } from './facts.ts';
export { serveSocket } from './serve.ts';
export { isDirect, type DirectReader, type DirectSocket } from './direct-socket.ts';
