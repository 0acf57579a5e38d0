export { isServerName, nameKey } from './addresses.ts';
export { type Authority, type CertificateRequest, createAuthority } from './authority.ts';
export type { Validity } from './certificate.ts';
export { namesOf, parseCertificates, subjectOf } from './certificate-fields.ts';
export {
  DER_TAG,
  type DerElement,
  DerError,
  DerReader,
  readBitString,
  readObjectIdentifier,
} from './der-reader.ts';
export * as der from './der-writer.ts';
export {
  createKey,
  issueLeaf,
  type KeyPair,
  type LeafRequest,
  type Subject,
  selfSign,
  USAGE_OID,
  validFor,
} from './issuing.ts';
export { type KubeconfigOptions, kubeconfig } from './kubeconfig.ts';
export { standalonePki } from './standalone.ts';
