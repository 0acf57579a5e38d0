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

export interface ForwardTokenOptions {
  /** The user's own token, where the user may lend it; undefined in the shared mode, where it is the aggregator's. */
  readonly token: (() => Promise<string | undefined>) | undefined;
  /** The CA of the front-proxy certificate, which backends have to trust. */
  readonly frontProxyCaFile: string;
}

/**
 * Backends of an aggregator that is not the cluster's own. A backend gets the user's token where the registration allows it.
 * The error for a backend that trusts neither the token nor the front-proxy certificate names the missing trust.
 */
export function forwardToken(
  backends: Backends,
  options: ForwardTokenOptions,
): Backends<RemoteRegistration> {
  const known = new WeakMap<Backend, Backend>();
  return {
    of(registration) {
      const backend = backends.of(registration);
      const wrapped = known.get(backend) ?? tokenForwardingBackend(backend, registration, options);
      known.set(backend, wrapped);
      return wrapped;
    },
    forget: (name) => backends.forget(name),
    identityChanged: () => backends.identityChanged(),
    close: () => backends.close(),
    [Symbol.asyncDispose]: () => backends.close(),
  };
}

function tokenForwardingBackend(
  backend: Backend,
  registration: RemoteRegistration,
  options: ForwardTokenOptions,
): Backend {
  const withToken = async (request: BackendRequest): Promise<BackendRequest> => {
    const token = mayForwardToken(registration)
      ? await options.token?.().catch(noToken)
      : undefined;
    if (token === undefined) return request;
    return { ...request, headers: [...request.headers, ['authorization', `Bearer ${token}`]] };
  };
  const checkTrust = async <Response extends BackendResponse>(
    request: BackendRequest,
    response: Response,
  ): Promise<Response> => {
    const seen = await detectMissingTrust(response);
    if (seen.isUntrusted) throw missingTrust(registration, request, { ...options, response });
    return seen.response;
  };
  return {
    server: registration,
    async send(request) {
      return checkTrust(request, await backend.send(await withToken(request)));
    },
    async upgrade(request) {
      const response = await backend.upgrade(await withToken(request));
      return response.kind === 'upgraded' ? response : checkTrust(request, response);
    },
    dropIdle: () => backend.dropIdle(),
  };
}

/** A plugin gave none, or a file cannot be read. */
function noToken(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  throw serviceUnavailable(`there is no token of the user to send: ${message}`);
}

/** Only to the address in the registration, and only when its certificate is verified. */
function mayForwardToken({ remote }: RemoteRegistration): boolean {
  return remote.forwardsToken && remote.url !== undefined && !remote.insecureSkipTlsVerify;
}

/** A backend without trust in the front proxy refuses every request, or takes every user for anonymous. */
async function detectMissingTrust<Response extends BackendResponse>(
  response: Response,
): Promise<{ readonly isUntrusted: boolean; readonly response: Response }> {
  if (response.status === 401) {
    response.cancel();
    return { isUntrusted: true, response };
  }
  if (response.status !== 403) return { isUntrusted: false, response };
  const { text, body } = await readExcerpt(response.body);
  if (!/User \\?"system:anonymous\\?"/.test(text)) {
    return { isUntrusted: false, response: { ...response, body } };
  }
  response.cancel();
  return { isUntrusted: true, response };
}

/** Probes are told as a failure of their server: their words become those of the condition. */
function missingTrust(
  registration: RemoteRegistration,
  { use }: BackendRequest,
  { response, ...options }: ForwardTokenOptions & { readonly response: BackendResponse },
): StatusError | BackendFailure {
  const { target, status } = response;
  const fix = fixOf(registration, options);
  const message = `${groupVersionOf(registration)} at ${addressOf(target)} does not accept this aggregator as its front proxy, it answered ${status}: ${fix}`;
  if (use !== 'probe') return serviceUnavailable(message);
  return new BackendFailure(message, { hop: 'protocol', maybeProcessed: false, target });
}

/** The fix for its user. */
function fixOf(
  registration: RemoteRegistration,
  { token, frontProxyCaFile }: ForwardTokenOptions,
): string {
  const trust = `let it trust ${frontProxyCaFile} (--requestheader-client-ca-file)`;
  if (token === undefined) return trust;
  const { name, remote } = registration;
  if (mayForwardToken(registration)) {
    return `it did not accept a token of your kubeconfig either, or there is none; ${trust}`;
  }
  if (remote.forwardsToken) {
    return `${trust}; your own token is sent only to a URL (${annotations.url}), and only over verified TLS`;
  }
  return `${trust}, or annotate the APIService ${name} with ${annotations.forwardsToken}: "true" to send it your own token`;
}
