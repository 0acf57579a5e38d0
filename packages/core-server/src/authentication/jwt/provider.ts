import { goQuote } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import type { JWK } from 'jose';
import { isRecord, textOf } from '../unverified-token.ts';
import { fetchJson } from './fetch-json.ts';
import type { IssuerSettings } from './issuer-settings.ts';

interface ProviderOptions {
  readonly settings: IssuerSettings;
  readonly clock: Clock;
  readonly onProblem?: (problem: Error) => void;
}

const WELL_KNOWN = '/.well-known/openid-configuration';
/** The interval between attempts to fetch the discovery document. */
const RETRY_MS = 10_000;
/** A minimum interval, because forged tokens with unknown keys would otherwise cause requests to the issuer. */
const REFRESH_MS_MIN = 10_000;
/** Revoked keys are trusted no longer than this, unless the issuer is unreachable. */
const KEYS_MS_MAX = 60 * 60_000;
const KEYS_MAX = 100;

/** The keys of an issuer, found by its discovery document. */
export class Provider {
  /** Resolves when the issuer is ready for the first time; never rejects. */
  readonly ready: Promise<void>;
  readonly #options: ProviderOptions;
  readonly #closing = new AbortController();
  #problem: string;
  #jwksUri: string | undefined;
  #cancelRetry = () => {};
  #keys: readonly JWK[] = [];
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #attemptedMs = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const { url } = options.settings;
    this.#problem = `oidc: authenticator for issuer ${goQuote(url)} is not initialized`;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    void this.#initialize(resolve); // Never rejects.
  }

  get isReady(): boolean {
    return this.#jwksUri !== undefined;
  }

  /** The error of the last initialization. */
  get problem(): string {
    return this.#problem;
  }

  /** Keys that a token with this `kid` may be signed with. Fetches the key set when it has none. */
  async keys(kid: string): Promise<readonly JWK[]> {
    const isExpired = this.#options.clock.nowMs() - this.#fetchedMs >= KEYS_MS_MAX;
    if (isExpired || this.#find(kid).length === 0) await this.#refresh();
    return this.#find(kid);
  }

  close(): void {
    this.#closing.abort(new Error('the issuer is no longer configured'));
    this.#cancelRetry();
  }

  async #initialize(onReady: () => void): Promise<void> {
    const { settings, clock } = this.#options;
    try {
      const address = settings.discoveryUrl ?? settings.url.replace(/\/$/, '') + WELL_KNOWN;
      this.#jwksUri = keysAddress(await this.#fetch(address), settings.url);
      onReady();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#problem = this.#report(error).message;
      this.#cancelRetry = clock.schedule(RETRY_MS, () => void this.#initialize(onReady)); // Never rejects.
    }
  }

  async #refresh(): Promise<void> {
    const isRecent = this.#options.clock.nowMs() - this.#attemptedMs < REFRESH_MS_MIN;
    if (this.#refreshing === undefined && isRecent) return;
    this.#refreshing ??= this.#fetchKeys();
    await this.#refreshing;
  }

  async #fetchKeys(): Promise<void> {
    const { clock } = this.#options;
    this.#attemptedMs = clock.nowMs();
    try {
      this.#keys = keysOf(await this.#fetch(this.#jwksUri ?? ''));
      this.#fetchedMs = clock.nowMs();
    } catch (error) {
      // The previous keys stay, so that a short outage of the issuer rejects no valid token.
      this.#report(error);
    } finally {
      this.#refreshing = undefined;
    }
  }

  #fetch(address: string): Promise<Record<string, unknown>> {
    const { certificateAuthority: ca } = this.#options.settings;
    return fetchJson(address, { ca, signal: this.#closing.signal });
  }

  #report(error: unknown): Error {
    const problem = error instanceof Error ? error : new Error(String(error));
    this.#options.onProblem?.(problem);
    return problem;
  }

  #find(kid: string): readonly JWK[] {
    return this.#keys.filter((key) => kid === '' || key.kid === kid);
  }
}

function keysAddress(document: Readonly<Record<string, unknown>>, issuer: string): string {
  const actual = textOf(document.issuer);
  if (actual !== issuer) {
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(actual)}`,
    );
  }
  const address = textOf(document.jwks_uri);
  if (address === '') throw new Error('provider did not return JWKS URL');
  return address;
}

/** Keys for other uses than signatures are skipped. */
function keysOf({ keys }: Readonly<Record<string, unknown>>): JWK[] {
  if (!Array.isArray(keys)) throw new Error('the key set is not a list');
  if (keys.length > KEYS_MAX) throw new Error(`the key set has more than ${KEYS_MAX} keys`);
  return keys.filter((key): key is JWK => isRecord(key) && (key.use ?? 'sig') === 'sig');
}
