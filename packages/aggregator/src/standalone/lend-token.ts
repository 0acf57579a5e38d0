import { type StatusError, serviceUnavailable } from '@tributary/apimachinery';
import {
  addressOf,
  type Backend,
  BackendFailure,
  type BackendRequest,
  type BackendResponse,
  type Backends,
} from '@tributary/proxy';
import { annotations, type RemoteRegistration } from '../api-services/registration.ts';
import { groupVersionOf } from '../proxy/failures.ts';
import { readExcerpt } from './read-excerpt.ts';

export interface LendOptions {
  /** The user's own token, where the user may lend it; undefined in the shared mode, where it is the aggregator's. */
  readonly token: (() => Promise<string | undefined>) | undefined;
  /** Who signs the certificate by which we are known: a server has to be told. */
  readonly frontProxyCaFile: string;
}

/**
 * Servers behind an aggregator that is not the cluster's own. Where the user has agreed, a server gets the user's token;
 * and one that believes neither that nor our certificate is recognised, and what is missing is said.
 */
export function lendToken(backends: Backends, options: LendOptions): Backends<RemoteRegistration> {
  const known = new WeakMap<Backend, Backend>();
  return {
    of(registration) {
      const backend = backends.of(registration);
      const lent = known.get(backend) ?? lendingBackend(backend, registration, options);
      known.set(backend, lent);
      return lent;
    },
    forget: (name) => backends.forget(name),
    identityChanged: () => backends.identityChanged(),
    close: () => backends.close(),
    [Symbol.asyncDispose]: () => backends.close(),
  };
}

function lendingBackend(
  backend: Backend,
  registration: RemoteRegistration,
  options: LendOptions,
): Backend {
  const withToken = async (request: BackendRequest): Promise<BackendRequest> => {
    const token = mayLend(registration) ? await options.token?.().catch(noToken) : undefined;
    if (token === undefined) return request;
    return { ...request, headers: [...request.headers, ['authorization', `Bearer ${token}`]] };
  };
  const believed = async <Answer extends BackendResponse>(
    request: BackendRequest,
    answer: Answer,
  ): Promise<Answer> => {
    const seen = await readStranger(answer);
    if (seen.isStranger) throw missingTrust(registration, request, { ...options, answer });
    return seen.answer;
  };
  return {
    server: registration,
    async send(request) {
      return believed(request, await backend.send(await withToken(request)));
    },
    async upgrade(request) {
      const answer = await backend.upgrade(await withToken(request));
      return answer.kind === 'upgraded' ? answer : believed(request, answer);
    },
    dropIdle: () => backend.dropIdle(),
  };
}

/** A plugin gave none, or a file cannot be read. */
function noToken(error: unknown): never {
  const words = error instanceof Error ? error.message : String(error);
  throw serviceUnavailable(`there is no token of the user to send: ${words}`);
}

/** Only to the address that the user wrote down, and only when it has proved who it is. */
function mayLend({ remote }: RemoteRegistration): boolean {
  return remote.forwardsToken && remote.url !== undefined && !remote.insecureSkipTlsVerify;
}

/** In front of a server that does not believe us nobody is known: it refuses everybody, or takes us for anybody. */
async function readStranger<Answer extends BackendResponse>(
  answer: Answer,
): Promise<{ readonly isStranger: boolean; readonly answer: Answer }> {
  if (answer.status === 401) {
    answer.cancel();
    return { isStranger: true, answer };
  }
  if (answer.status !== 403) return { isStranger: false, answer };
  const { text, body } = await readExcerpt(answer.body);
  if (!/User \\?"system:anonymous\\?"/.test(text)) {
    return { isStranger: false, answer: { ...answer, body } };
  }
  answer.cancel();
  return { isStranger: true, answer };
}

/** Probes are told as a failure of their server: their words become those of the condition. */
function missingTrust(
  registration: RemoteRegistration,
  { use }: BackendRequest,
  { answer, ...options }: LendOptions & { readonly answer: BackendResponse },
): StatusError | BackendFailure {
  const { target, status } = answer;
  const fix = fixOf(registration, options);
  const words = `${groupVersionOf(registration)} at ${addressOf(target)} does not accept this aggregator as its front proxy, it answered ${status}: ${fix}`;
  if (use !== 'probe') return serviceUnavailable(words);
  return new BackendFailure(words, { hop: 'protocol', maybeProcessed: false, target });
}

/** What its user can do about it. */
function fixOf(registration: RemoteRegistration, { token, frontProxyCaFile }: LendOptions): string {
  const trust = `let it trust ${frontProxyCaFile} (--requestheader-client-ca-file)`;
  if (token === undefined) return trust;
  const { name, remote } = registration;
  if (mayLend(registration)) {
    return `it did not accept a token of your kubeconfig either, or there is none; ${trust}`;
  }
  if (remote.forwardsToken) {
    return `${trust}; your own token is sent only to a URL (${annotations.url}), and only over verified TLS`;
  }
  return `${trust}, or annotate the APIService ${name} with ${annotations.forwardsToken}: "true" to send it your own token`;
}
