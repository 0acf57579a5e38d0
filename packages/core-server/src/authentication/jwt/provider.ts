import { goQuote } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { JWK } from 'jose';
import { isRecord, textOf } from '../unverified-token.ts';
import { fetchJson } from './fetch-json.ts';
import type { IssuerSettings } from './issuer-settings.ts';

/** The keys of an issuer, from where its own document says they are. */
export interface Provider {
  readonly isReady: boolean;
  /** Why it is not ready. */
  readonly problem: string;
  /** Settles when it is ready for the first time, and never fails. */
  readonly ready: Promise<void>;
  /** Those that a token with this `kid` may be signed with. Asks the issuer when none is known. */
  keys(kid: string): Promise<readonly JWK[]>;
  close(): void;
}

interface ProviderOptions {
  readonly settings: IssuerSettings;
  readonly clock: Clock;
  readonly onProblem?: (problem: Error) => void;
}

const WELL_KNOWN = '/.well-known/openid-configuration';
/** Until the issuer's document could be read. */
const RETRY_MS = 10_000;
/** Tokens with keys that nobody knows are easily made; the issuer is asked no more often than this. */
const REFRESH_MS_MIN = 10_000;
/** Keys that the issuer has taken back are believed no longer than this, unless it cannot be reached. */
const KEYS_MS_MAX = 60 * 60_000;
const KEYS_MAX = 100;

export function openProvider({ settings, clock, onProblem }: ProviderOptions): Provider {
  const closing = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const fetchOptions = { ca: settings.certificateAuthority, signal: closing.signal };
  let problem = `oidc: authenticator for issuer ${goQuote(settings.url)} is not initialized`;
  let jwksUri: string | undefined;
  let cancelRetry = () => {};

  const initialise = async (): Promise<void> => {
    try {
      const address = settings.discoveryUrl ?? settings.url.replace(/\/$/, '') + WELL_KNOWN;
      jwksUri = keysAddress(await fetchJson(address, fetchOptions), settings.url);
      resolve();
    } catch (error) {
      if (closing.signal.aborted) return;
      const failure = error instanceof Error ? error : new Error(String(error));
      problem = failure.message;
      onProblem?.(failure);
      cancelRetry = clock.schedule(RETRY_MS, () => void initialise()); // it never rejects
    }
  };
  void initialise(); // it never rejects

  let known: readonly JWK[] = [];
  let readMs = Number.NEGATIVE_INFINITY;
  let triedMs = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    triedMs = clock.nowMs();
    try {
      known = keysOf(await fetchJson(jwksUri ?? '', fetchOptions));
      readMs = clock.nowMs();
    } catch (error) {
      // The keys of before stay: an issuer that is away for a moment locks nobody out.
      onProblem?.(error instanceof Error ? error : new Error(String(error)));
    } finally {
      refreshing = undefined;
    }
  };
  const refreshed = async (): Promise<void> => {
    if (refreshing === undefined && clock.nowMs() - triedMs < REFRESH_MS_MIN) return;
    refreshing ??= refresh();
    await refreshing;
  };
  const find = (kid: string) => known.filter((key) => kid === '' || key.kid === kid);

  return {
    ready,
    get isReady() {
      return jwksUri !== undefined;
    },
    get problem() {
      return problem;
    },
    async keys(kid) {
      if (clock.nowMs() - readMs >= KEYS_MS_MAX || find(kid).length === 0) await refreshed();
      return find(kid);
    },
    close() {
      closing.abort(new Error('the issuer is not used any more'));
      cancelRetry();
    },
  };
}

function keysAddress(document: Readonly<Record<string, unknown>>, issuer: string): string {
  const said = textOf(document.issuer);
  if (said !== issuer) {
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(said)}`,
    );
  }
  const address = textOf(document.jwks_uri);
  if (address === '') throw new Error('provider did not return JWKS URL');
  return address;
}

/** What is for other uses than signatures is left out. */
function keysOf({ keys }: Readonly<Record<string, unknown>>): JWK[] {
  if (!Array.isArray(keys)) throw new Error('the set of keys is no list');
  if (keys.length > KEYS_MAX) throw new Error(`the set has more than ${KEYS_MAX} keys`);
  return keys.filter((key): key is JWK => isRecord(key) && (key.use ?? 'sig') === 'sig');
}
