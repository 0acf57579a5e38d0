/** An extension server of Flunders behind the aggregator of a control plane; each side is ours or the original. */
import type { AuditLog } from '../../test/aggregator/fault-audit.ts';
import type { KeyPair } from '../../test/harness/index.ts';

export const GROUP = 'wardle.example.com';

export interface Site {
  readonly front: Front;
  readonly backend: Backend;
  /** Where it is registered, already and available: the Service that both of its APIServices name. */
  readonly service: { readonly namespace: string; readonly name: string };
}

/**
 * The control plane. Its own controllers, or a controller manager, delete namespaces. It sends the uid of a user in
 * `X-Remote-Uid` (`--requestheader-uid-headers`).
 */
export interface Front {
  readonly url: string;
  /** PEM of the CA of its serving certificate. */
  readonly ca: string;
  /** In `system:masters`. */
  readonly admin: KeyPair;
  /** The path of the administrator's. */
  readonly kubeconfig: string;
  /** A certificate of its client CA. */
  userCertificate(user: {
    readonly commonName: string;
    readonly organizations?: readonly string[];
  }): Promise<KeyPair>;
  /** One by which extension servers believe what headers say of the user. */
  proxyCertificate(): Promise<KeyPair>;
}

/** The extension server. It is killed and started again, and its objects stay. */
export interface Backend {
  /** Where it listens itself, which may be elsewhere after a start. */
  url(): string;
  /**
   * Where the commands `tributary pki renew --server wardle.example.com` work, because its CA and its pair are in
   * `.tributary/pki/servers/wardle.example.com` there.
   */
  readonly directory: string;
  /** Brings the pair that is in the directory to the server that runs, as its installation does. */
  publishCertificate(): Promise<void>;
  /** Its audit log, which has every request: `auditLog` gives the flags for it, too. */
  readonly audit: AuditLog;
  /** With SIGKILL; the control plane is not notified. */
  kill(): Promise<void>;
  /** Again, on its data, where the aggregator finds it; settles when it is ready itself. */
  start(): Promise<void>;
}
