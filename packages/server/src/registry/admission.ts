import { cloneJson, forbidden, type GroupResource, type KubeObject } from '@tributary/apimachinery';
import type { AdmissionResult, AdmissionRules, Review } from '../definition/admission.ts';
import type { Read } from '../definition/reads.ts';
import type { UserInfo } from '../request/pipeline.ts';

/** The identity and settings of a write. */
export interface WriteContext {
  readonly user: UserInfo;
  /** Everything happens except the commit. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The name in the URL, if there is one. */
  readonly requestName?: string | undefined;
  /** Sends a warning to the client. */
  warn(text: string): void;
}

/** Runs before every write; it may return another object, or refuse by throwing. */
export interface Admission {
  create(object: KubeObject, context: WriteContext): Promise<KubeObject>;
  update(next: KubeObject, live: KubeObject, context: WriteContext): Promise<KubeObject>;
  delete(live: KubeObject, context: WriteContext): Promise<void>;
}

/** The admission of an author's rules. */
export function ruleAdmission(
  rules: AdmissionRules,
  {
    resource,
    subresource,
    reader,
    requireValid,
  }: {
    resource: GroupResource;
    subresource: string;
    reader: (signal: AbortSignal) => Read;
    /** Validates an object that a rule has changed; the object of the client was validated before. */
    requireValid: (object: KubeObject) => void;
  },
): Admission {
  const reviewOf = ({ metadata }: KubeObject, context: WriteContext): Review => ({
    name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    subresource,
    user: context.user,
    dryRun: context.dryRun,
    signal: context.signal,
    warn: (text) => context.warn(text),
    read: reader(context.signal),
  });
  const require = (verdict: AdmissionResult, { metadata }: KubeObject) => {
    if (verdict.allowed) return;
    const name = metadata.name || metadata.generateName || 'Unknown';
    throw forbidden(resource, name, verdict.reason);
  };
  return {
    create: async (sent, context) => {
      if (rules.create === undefined) return sent;
      // A rule may change the object, and the caller may need the original.
      const object = cloneJson(sent) as KubeObject;
      const { requestName = '' } = context;
      const review = { ...reviewOf(object, context), object, requestName };
      require(await rules.create(review), object);
      requireValid(object);
      return object;
    },
    update: async (next, live, context) => {
      if (rules.update === undefined) return next;
      const object = cloneJson(next) as KubeObject;
      const review = { ...reviewOf(live, context), object, oldObject: live };
      require(await rules.update(review), live);
      requireValid(object);
      return object;
    },
    delete: async (live, context) => {
      if (rules.delete === undefined) return;
      require(await rules.delete({ ...reviewOf(live, context), oldObject: live }), live);
    },
  };
}
