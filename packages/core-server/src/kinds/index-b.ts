export {
  type CertificateSigningRequestSources,
  certificateSigningRequestKind,
} from './certificate-signing-request/certificate-signing-request-kind.ts';
export { type EventKinds, eventKinds } from './event/event-kinds.ts';
export { type LeaseOptions, leaseKind } from './lease/lease-kind.ts';
export { type RbacKinds, rbacKinds } from './rbac/rbac-kinds.ts';
export { type ReviewKinds, type ReviewSources, reviewKinds } from './review/review-kinds.ts';
