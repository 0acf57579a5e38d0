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
import { isOutdated } from '../../shared/outdated.ts';
import { requestColumns } from './columns.ts';
import { fillTimes, keepDecisions } from './conditions.ts';
import { parseRequest } from './parse-request.ts';
import { mayActForSigner, type SignerSources } from './signer-authorization.ts';
import { validateApproval, validateRequest, validateRequestUpdate } from './validation.ts';

export interface CertificateSigningRequestSources extends SignerSources {
  /** Default: the system's clock. */
  readonly nowMs?: () => number;
}

/** Whose certificates this server takes for users: nobody becomes one of its masters by asking. */
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

type Request = CertificateSigningRequest;

/** A request is asked once. What becomes of it is written through `approval`, and then through `status`. */
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
    // Not even who creates it owns the request; and the conditions are those of the approval, as upstream has it.
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

  /** The status as it will be stored is what is judged: times and decisions are settled first. */
  async function admitStatus(review: UpdateReview<Request>): Promise<AdmissionResult> {
    const { object, oldObject } = review;
    keepDecisions(object, oldObject);
    fillTimes(object, oldObject, nowMs());
    if (isOutdated(object, oldObject) || isDeepStrictEqual(object.status, oldObject.status)) {
      return allow;
    }
    const next = { ...oldObject, status: object.status };
    if (validateRequestUpdate(next, oldObject).length > 0) return allow;
    return verdictFor('sign', review, sources);
  }
}

/** Who asks is what the server knows of the user, not what the request says. */
function admitCreate({ object, user }: CreateReview<Request>): AdmissionResult {
  object.spec = stampedSpec(object.spec, user);
  if (object.spec.signerName !== CLIENT_SIGNER) return allow;
  // What is invalid is refused as such.
  if (validateRequest(named(object)).length > 0) return allow;
  const { organizations } = parseRequest(object.spec.request ?? '');
  if (!organizations.includes(MASTERS)) return allow;
  return forbid(`use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
}

/** A name that is still to be generated is no reason to refuse it. */
function named(object: Request): Request {
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

/** Asked of the stored request: a writer may have changed the name of the signer in what is sent. */
async function admitApproval(
  review: UpdateReview<Request>,
  sources: SignerSources,
  prepare: (next: Request, live: Request) => void,
): Promise<AdmissionResult> {
  const { object, oldObject } = review;
  if (isOutdated(object, oldObject)) return allow;
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
  if (await mayActForSigner({ user, verb, signerName, signal }, sources)) return allow;
  return forbid(`user not permitted to ${verb} requests with signerName ${goQuote(signerName)}`);
}
