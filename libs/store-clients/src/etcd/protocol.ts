/** The part of the etcd API that Sluice uses (version 3, `rpc.proto`), as JSON protocol descriptors: fields with types and numbers. */
import { fromJSON, type MethodDefinition, type PackageDefinition } from '@grpc/proto-loader';

type Fields = Readonly<Record<string, string>>;

interface MessageDescription {
  readonly fields: Record<string, { readonly id: number; readonly type: string; readonly rule?: string }>;
  readonly oneofs?: Record<string, { oneof: string[] }>;
}

interface ServiceDescription {
  readonly methods: Record<string, MethodDescription>;
}

interface MethodDescription {
  readonly requestType: string;
  readonly responseType: string;
  readonly requestStream?: boolean;
  readonly responseStream?: boolean;
  readonly comment: string;
}

/** Parses field definitions in a short notation. `'1 bytes'` is field number 1 of type `bytes`, and `'1 repeated bytes'` is a list. */
function message(fields: Fields, ...oneofs: (readonly [string, readonly string[]])[]): MessageDescription {
  const described = Object.entries(fields).map(([name, text]) => {
    const [id, ...words] = text.split(' ');
    const type = words.at(-1) ?? '';
    return [name, { id: Number(id), type, ...(words.length > 1 ? { rule: 'repeated' } : {}) }] as const;
  });
  return {
    fields: Object.fromEntries(described),
    ...(oneofs.length === 0
      ? {}
      : { oneofs: Object.fromEntries(oneofs.map(([name, oneof]) => [name, { oneof: [...oneof] }])) }),
  };
}

const keyValue = message({
  key: '1 bytes',
  create_revision: '2 int64',
  mod_revision: '3 int64',
  version: '4 int64',
  value: '5 bytes',
  lease: '6 int64',
});

const requestOperations = ['request_range', 'request_put', 'request_delete_range'];
const responseOperations = ['response_range', 'response_put', 'response_delete_range'];

const messages = {
  ResponseHeader: message({ revision: '3 int64' }),
  RangeRequest: message({ key: '1 bytes', range_end: '2 bytes', limit: '3 int64', keys_only: '8 bool' }),
  RangeResponse: message({ header: '1 ResponseHeader', kvs: '2 repeated mvccpb.KeyValue', more: '3 bool' }),
  PutRequest: message({ key: '1 bytes', value: '2 bytes', lease: '3 int64' }),
  PutResponse: message({ header: '1 ResponseHeader' }),
  DeleteRangeRequest: message({ key: '1 bytes', range_end: '2 bytes' }),
  DeleteRangeResponse: message({ header: '1 ResponseHeader', deleted: '2 int64' }),
  RequestOp: message(
    { request_range: '1 RangeRequest', request_put: '2 PutRequest', request_delete_range: '3 DeleteRangeRequest' },
    ['request', requestOperations],
  ),
  ResponseOp: message(
    {
      response_range: '1 RangeResponse',
      response_put: '2 PutResponse',
      response_delete_range: '3 DeleteRangeResponse',
    },
    ['response', responseOperations],
  ),
  // `result` and `target` are enums and are encoded as numbers.
  Compare: message(
    {
      result: '1 int32',
      target: '2 int32',
      key: '3 bytes',
      version: '4 int64',
      create_revision: '5 int64',
      mod_revision: '6 int64',
      value: '7 bytes',
    },
    ['target_union', ['version', 'create_revision', 'mod_revision', 'value']],
  ),
  TxnRequest: message({
    compare: '1 repeated Compare',
    success: '2 repeated RequestOp',
    failure: '3 repeated RequestOp',
  }),
  TxnResponse: message({ header: '1 ResponseHeader', succeeded: '2 bool', responses: '3 repeated ResponseOp' }),
  WatchRequest: message({ create_request: '1 WatchCreateRequest' }, ['request_union', ['create_request']]),
  WatchCreateRequest: message({ key: '1 bytes', range_end: '2 bytes', start_revision: '3 int64' }),
  WatchResponse: message({
    header: '1 ResponseHeader',
    created: '3 bool',
    canceled: '4 bool',
    compact_revision: '5 int64',
    cancel_reason: '6 string',
    events: '11 repeated mvccpb.Event',
  }),
  LeaseGrantRequest: message({ TTL: '1 int64', ID: '2 int64' }),
  LeaseGrantResponse: message({ header: '1 ResponseHeader', ID: '2 int64', TTL: '3 int64' }),
  LeaseRevokeRequest: message({ ID: '1 int64' }),
  LeaseRevokeResponse: message({ header: '1 ResponseHeader' }),
  LeaseKeepAliveRequest: message({ ID: '1 int64' }),
  LeaseKeepAliveResponse: message({ header: '1 ResponseHeader', ID: '2 int64', TTL: '3 int64' }),
  AuthenticateRequest: message({ name: '1 string', password: '2 string' }),
  AuthenticateResponse: message({ header: '1 ResponseHeader', token: '2 string' }),
};

/** Returns a service descriptor. Its methods accept `<name>Request` and return `<name>Response`, or streams of these messages. */
function service(names: readonly string[], streams: readonly string[] = []): ServiceDescription {
  const methods = [...names, ...streams].map((name) => {
    const both = streams.includes(name) ? { requestStream: true, responseStream: true } : {};
    return [name, { requestType: `${name}Request`, responseType: `${name}Response`, ...both, comment: '' }] as const;
  });
  return { methods: Object.fromEntries(methods) };
}

const definition: PackageDefinition = fromJSON(
  {
    nested: {
      mvccpb: { nested: { KeyValue: keyValue, Event: message({ type: '1 int32', kv: '2 KeyValue' }) } },
      etcdserverpb: {
        nested: {
          ...messages,
          KV: service(['Range', 'Txn']),
          Watch: service([], ['Watch']),
          Lease: service(['LeaseGrant', 'LeaseRevoke'], ['LeaseKeepAlive']),
          Auth: service(['Authenticate']),
        },
      },
    },
  },
  { keepCase: true, longs: String, defaults: true },
);

/** Path, serializer and deserializer of a gRPC method. */
export type Method = MethodDefinition<object, object>;

/** Returns a gRPC method, for example `Range` of the service `KV`. */
export function methodOf(service: string, name: string): Method {
  const found = definition[`etcdserverpb.${service}`] as Readonly<Record<string, Method>>;
  return found[name] as Method;
}
