export {
  type Authority,
  type CertificateRequest,
  createAuthority,
  type KeyPair,
  type Subject,
  type Validity,
} from './authority.ts';
export { type KubeconfigOptions, kubeconfig } from './kubeconfig.ts';
