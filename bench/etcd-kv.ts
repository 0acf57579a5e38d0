import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import protobuf from 'protobufjs';

const TXN_PATH = '/etcdserverpb.KV/Txn';
/** From etcd's public message definitions: the compared field, and the comparison `EQUAL`. */
const COMPARE_CREATE = 1;
const COMPARE_EQUAL = 0;

/** The cheapest way to write to etcd from Node: gRPC frames over one HTTP/2 session, without a library. */
export interface EtcdKv extends AsyncDisposable {
  /** Creates a key that must not exist; returns whether it did. */
  create(key: string, value: Uint8Array): Promise<boolean>;
}

export async function connectEtcd(url: string): Promise<EtcdKv> {
  const session = connect(url);
  await once(session, 'connect');
  return {
    create: async (key, value) => succeeded(await call(session, createTxn(key, value))),
    [Symbol.asyncDispose]: async () => {
      session.close();
      await once(session, 'close');
    },
  };
}

function createTxn(key: string, value: Uint8Array): Uint8Array {
  const keyBytes = Buffer.from(key);
  const writer = protobuf.Writer.create();
  // TxnRequest.compare = 1: Compare { result = 1, target = 2, key = 3, create_revision = 5 }
  writer.uint32(10).fork();
  writer.uint32(8).int32(COMPARE_EQUAL).uint32(16).int32(COMPARE_CREATE);
  writer.uint32(26).bytes(keyBytes).uint32(40).int64(0).ldelim();
  // TxnRequest.success = 2: RequestOp { request_put = 2: PutRequest { key = 1, value = 2 } }
  writer.uint32(18).fork().uint32(18).fork();
  writer.uint32(10).bytes(keyBytes).uint32(18).bytes(value).ldelim().ldelim();
  return writer.finish();
}

/** TxnResponse.succeeded = 2. */
function succeeded(message: Uint8Array): boolean {
  const reader = protobuf.Reader.create(message);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 === 2) return reader.bool();
    reader.skipType(tag & 7);
  }
  return false;
}

async function call(session: ClientHttp2Session, message: Uint8Array): Promise<Uint8Array> {
  const stream = session.request({
    ':method': 'POST',
    ':path': TXN_PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([prefix, message]));
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).subarray(5);
}
