import { badRequest } from '@tributary/apimachinery';
import { decodeBody } from '../registry/decode-body.ts';
import { isProtobuf } from '../request/negotiation.ts';
import type { ApiRequest } from '../request/pipeline.ts';
import { decodeProtobuf, openEnvelope } from '../schema/typed/decode-protobuf.ts';
import { goPackage } from '../schema/typed/go-package.ts';
import type { GoStructType } from '../schema/typed/go-type.ts';
import { ProtobufError } from '../schema/typed/protobuf-wire.ts';

/** Upstream decodes DeleteOptions in protocol buffers for every kind: typed clients send them by default. */
const metaTypes = goPackage({
  path: 'k8s.io/apimachinery/pkg/apis/meta/v1',
  types: {
    DeleteOptions: [
      'gracePeriodSeconds,1,omitempty *int64',
      'preconditions,2,omitempty *Preconditions',
      'orphanDependents,3,omitempty *bool',
      'propagationPolicy,4,omitempty *string',
      'dryRun,5,omitempty []string',
      'ignoreStoreReadErrorWithClusterBreakingPotential,6,omitempty *bool',
    ],
    Preconditions: ['uid,1,omitempty *string', 'resourceVersion,2,omitempty *string'],
  },
});

/** The document in the body of a DELETE. */
export function deleteOptionsBody(body: Uint8Array, request: ApiRequest): unknown {
  const options = readOptions(body, request);
  if (typeof options === 'object' && options !== null) {
    request.context?.audit?.requestObject(options);
  }
  return options;
}

function readOptions(body: Uint8Array, request: ApiRequest): unknown {
  if (isProtobuf(request.headers.get('content-type'))) return protobufOptions(body);
  const decoded = decodeBody(body, request);
  if (!decoded.ok) throw badRequest(decoded.why);
  return decoded.value;
}

function protobufOptions(body: Uint8Array): unknown {
  try {
    const { raw, ...type } = openEnvelope(body);
    // A body of another kind is refused.
    const isOurs = type.kind === '' || type.kind === 'DeleteOptions';
    const struct = metaTypes.type('DeleteOptions') as GoStructType;
    return { ...(isOurs ? decodeProtobuf(raw, struct) : {}), ...type };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw badRequest(error.message);
  }
}
