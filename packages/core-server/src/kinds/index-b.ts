export { type ReviewKinds, type ReviewSources, reviewKinds } from './authorization/review-kinds.ts';
export {
  type CertificateSigningRequestSources,
  certificateSigningRequestKind,
} from './certificates/certificate-signing-request/kind.ts';
export { type LeaseOptions, leaseKind } from './coordination/lease/kind.ts';
export { type EventKinds, eventKinds } from './events/event/kind.ts';
export { type RbacKinds, rbacKinds } from './rbac/rbac-kinds.ts';
