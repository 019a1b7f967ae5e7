export type { RedisAddress } from './client.ts';
export { RedisConnection, type RedisCall, type RedisReply } from './connection.ts';
