import { impersonateHeaders } from '../http/identity-headers.ts';
import type {
  Authorization,
  Identity,
  Impersonation,
  PemSource,
} from '../kubeconfig/client-config.ts';
import type { Clock } from '../timing/clock.ts';
import { CachedFile } from './cached-file.ts';
import { type ExecCredential, type ExecOptions, runExecPlugin } from './exec-plugin.ts';

/** The credentials of the client at one moment. */
export interface Credential {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The same object until the certificate changes; connections are made with it. */
  readonly certificate: ClientCertificate | undefined;
}

export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface Credentials {
  /** The current credentials. Files and plugins are read again when they expire. */
  current(): Promise<Credential>;
  /** Renews credentials that the server refused; resolves with whether there are others to try. */
  refresh(refused: Credential): Promise<boolean>;
}

export interface CredentialsOptions extends ExecOptions {
  readonly clock: Clock;
}

export function createCredentials(identity: Identity, options: CredentialsOptions): Credentials {
  const authorization = authorizer(identity.authorization, options);
  const certificate = certificateSource(identity.certificate, options.clock);
  const impersonation = impersonationHeaders(identity.impersonate);
  const current = async (): Promise<Credential> => {
    const { header, certificate: issued } = await authorization.current();
    return {
      headers: [
        ...(header === undefined ? [] : [['authorization', header] as const]),
        ...impersonation,
      ],
      certificate: issued ?? (await certificate()),
    };
  };
  return {
    current,
    async refresh(refused) {
      // Another request may have renewed them meanwhile.
      if (!isSame(await current(), refused)) return true;
      await authorization.renew();
      return !isSame(await current(), refused);
    },
  };
}

function isSame(a: Credential, b: Credential): boolean {
  const values = ({ headers }: Credential): string => JSON.stringify(headers);
  return a.certificate === b.certificate && values(a) === values(b);
}

interface Authorizer {
  current(): Promise<{ header?: string; certificate?: ClientCertificate }>;
  renew(): Promise<void>;
}

function authorizer(
  authorization: Authorization | undefined,
  options: CredentialsOptions,
): Authorizer {
  if (authorization === undefined) return constant({});
  switch (authorization.kind) {
    case 'token':
      return constant({ header: `Bearer ${authorization.token}` });
    case 'basic': {
      const { username, password } = authorization;
      const encoded = Buffer.from(`${username}:${password}`).toString('base64');
      return constant({ header: `Basic ${encoded}` });
    }
    case 'token-file': {
      const file = new CachedFile(authorization.file, options.clock, authorization.token);
      return {
        current: async () => ({ header: `Bearer ${await file.read()}` }),
        renew: async () => file.expire(),
      };
    }
    case 'exec':
      return execAuthorizer(authorization, options);
  }
}

function constant(value: { header?: string }): Authorizer {
  return { current: async () => value, renew: async () => undefined };
}

/** One run at a time, and its result serves until it expires or a server refuses it. */
function execAuthorizer(
  { exec }: Extract<Authorization, { kind: 'exec' }>,
  options: CredentialsOptions,
): Authorizer {
  let issued: ExecCredential | undefined;
  let running: Promise<ExecCredential> | undefined;
  const issue = async (): Promise<ExecCredential> => {
    running ??= runExecPlugin(exec, options).finally(() => {
      running = undefined;
    });
    const next = await running;
    issued = reuseCertificate(issued, next);
    return issued;
  };
  const valid = ({ expiresMs }: ExecCredential): boolean =>
    expiresMs === undefined || options.clock.nowMs() < expiresMs;
  return {
    async current() {
      const { token, certificate } = issued !== undefined && valid(issued) ? issued : await issue();
      return {
        ...(token !== undefined && { header: `Bearer ${token}` }),
        ...(certificate !== undefined && { certificate }),
      };
    },
    async renew() {
      await issue();
    },
  };
}

/** A plugin that prints the same certificate again must not close all connections. */
function reuseCertificate(
  before: ExecCredential | undefined,
  next: ExecCredential,
): ExecCredential {
  const known = before?.certificate;
  const same =
    known !== undefined &&
    known.certificate === next.certificate?.certificate &&
    known.key === next.certificate.key;
  return same ? { ...next, certificate: known } : next;
}

function certificateSource(
  source: Identity['certificate'],
  clock: Clock,
): () => Promise<ClientCertificate | undefined> {
  if (source === undefined) return async () => undefined;
  const certificate = pemReader(source.certificate, clock);
  const key = pemReader(source.key, clock);
  let current: ClientCertificate | undefined;
  return async () => {
    const next = { certificate: await certificate(), key: await key() };
    const same = current?.certificate === next.certificate && current.key === next.key;
    if (!same) current = next;
    return current;
  };
}

/** PEM, possibly from a file. */
export function pemReader(source: PemSource, clock: Clock): () => Promise<string> {
  if ('pem' in source) return async () => source.pem;
  const file = new CachedFile(source.file, clock);
  return () => file.read();
}

/** The impersonated user, one header per value. */
export function impersonationHeaders(
  impersonate: Impersonation | undefined,
): Credential['headers'] {
  if (impersonate === undefined) return [];
  const { user, uid, groups = [], extra = {} } = impersonate;
  return [
    [impersonateHeaders.user, user],
    ...(uid === undefined ? [] : [[impersonateHeaders.uid, uid] as const]),
    ...groups.map((group) => [impersonateHeaders.group, group] as const),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(
        (value) => [`${impersonateHeaders.extraPrefix}${encodeHeaderKey(key)}`, value] as const,
      ),
    ),
  ];
}

/** Header names are lower case and have no characters beyond a token's; the server decodes per cent signs. */
function encodeHeaderKey(key: string): string {
  return encodeURIComponent(key)
    .replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .toLowerCase();
}
