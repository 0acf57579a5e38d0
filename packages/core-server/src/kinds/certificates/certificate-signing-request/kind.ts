import { isDeepStrictEqual } from 'node:util';
import {
  CertificateSigningRequest,
  type CertificateSigningRequestSpec,
} from '@tributary/api/certificates-v1';
import { cloneJson, goQuote } from '@tributary/apimachinery';
import {
  type AdmissionResult,
  allow,
  type CreateReview,
  forbid,
  type ResourceDefinition,
  type UpdateReview,
  type UserInfo,
} from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import { isStale } from '../../shared/outdated.ts';
import { requestColumns } from './columns.ts';
import { fillTimes, restoreApproval } from './conditions.ts';
import { parseRequest } from './parse-request.ts';
import { isAuthorizedForSigner, type SignerSources } from './signer-authorization.ts';
import { validateApproval, validateRequest, validateRequestUpdate } from './validation.ts';

export interface CertificateSigningRequestSources extends SignerSources {
  /** Default: the system clock. */
  readonly nowMs?: () => number;
}

/** The signer of client certificates that this server accepts; requests for system:masters are refused. */
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

type Request = CertificateSigningRequest;

/** The spec is immutable; `approval` and `status` are separate subresources. */
export function certificateSigningRequestKind(
  sources: CertificateSigningRequestSources,
): ResourceDefinition<CertificateSigningRequest> {
  const { nowMs = Date.now } = sources;
  const prepareApproval = (next: Request, live: Request) => {
    fillTimes(next, live, nowMs());
    const { certificate } = live.status;
    const { conditions = [] } = next.status;
    next.spec = live.spec;
    next.status = {
      ...(conditions.length > 0 && { conditions }),
      ...(certificate && { certificate }),
    };
  };
  return defineResource({
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    scope: 'Cluster',
    names: 'path-segment',
    tracksGeneration: false,
    allowUnconditionalUpdate: true,
    // Creating a request gives no ownership of its fields, and conditions belong to `approval`, like upstream.
    resetFields: { whole: ['spec', 'status'], status: ['spec', 'status.conditions'] },
    subresources: {
      status: true,
      parts: {
        approval: {
          prepareForUpdate: prepareApproval,
          validateUpdate: validateApproval,
          resetFields: ['spec', 'status.certificate'],
          admit: (review) => admitApproval(review, sources, prepareApproval),
        },
      },
    },
    admit: {
      create: (review) => admitCreate(review),
      update: (review) => (review.subresource === 'status' ? admitStatus(review) : allow),
    },
    versions: {
      v1: version({
        typed: CertificateSigningRequest,
        columns: requestColumns,
        restrictsFieldLabels: true,
        selectableFields: ['spec.signerName'],
        prepareForCreate: (request) => {
          request.status = {};
        },
        prepareForUpdate: (next, live) => {
          next.spec = live.spec;
        },
        validate: validateRequest,
        validateUpdate: validateRequestUpdate,
      }),
    },
  });

  /** Validates the status as it will be stored, with times and approval conditions filled in. */
  async function admitStatus(review: UpdateReview<Request>): Promise<AdmissionResult> {
    const { object, oldObject } = review;
    restoreApproval(object, oldObject);
    fillTimes(object, oldObject, nowMs());
    if (isStale(object, oldObject) || isDeepStrictEqual(object.status, oldObject.status)) {
      return allow;
    }
    const next = { ...oldObject, status: object.status };
    if (validateRequestUpdate(next, oldObject).length > 0) return allow;
    return verdictFor('sign', review, sources);
  }
}

/** The user in the spec is that of the request to the server, whatever the client sends. */
function admitCreate({ object, user }: CreateReview<Request>): AdmissionResult {
  object.spec = stampedSpec(object.spec, user);
  if (object.spec.signerName !== CLIENT_SIGNER) return allow;
  // Validation reports an invalid request.
  if (validateRequest(withValidName(object)).length > 0) return allow;
  const { organizations } = parseRequest(object.spec.request ?? '');
  if (!organizations.includes(MASTERS)) return allow;
  return forbid(`use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
}

/** The request with a valid name, in place of one that will be generated. */
function withValidName(object: Request): Request {
  const { name, generateName } = object.metadata;
  return { ...object, metadata: { ...object.metadata, name: name || generateName || '' } };
}

function stampedSpec(
  spec: CertificateSigningRequestSpec,
  user: UserInfo,
): CertificateSigningRequestSpec {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...asked } = spec;
  const extra: Record<string, string[]> = Object.fromEntries(
    Object.entries(user.extra).map(([key, values]) => [key, [...values]]),
  );
  return {
    ...asked,
    ...(user.name && { username: user.name }),
    ...(user.uid && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

/** Checks the signer of the stored request: the sent object may name another. */
async function admitApproval(
  review: UpdateReview<Request>,
  sources: SignerSources,
  prepare: (next: Request, live: Request) => void,
): Promise<AdmissionResult> {
  const { object, oldObject } = review;
  if (isStale(object, oldObject)) return allow;
  const next = cloneJson(object) as unknown as Request;
  prepare(next, oldObject);
  if (validateApproval({ ...oldObject, status: next.status }, oldObject).length > 0) return allow;
  return verdictFor('approve', review, sources);
}

async function verdictFor(
  verb: 'approve' | 'sign',
  { user, oldObject, signal }: UpdateReview<Request>,
  sources: SignerSources,
): Promise<AdmissionResult> {
  const { signerName } = oldObject.spec;
  if (await isAuthorizedForSigner({ user, verb, signerName, signal }, sources)) return allow;
  return forbid(`user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`);
}
