import { isDeepStrictEqual } from 'node:util';
import { aggregateText, fieldError, root } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { type AudienceTokenLookup, audienceAgnostic, noOpinion } from '../token-lookup.ts';
import { readUnverified } from '../unverified-token.ts';
import { type AnonymousRules, parseAuthenticationConfiguration } from './configuration.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import { type IssuerTokens, issuerOf, issuerTokens } from './issuer-tokens.ts';
import { Provider } from './provider.ts';

export interface JwtIssuersOptions {
  /** From the flags, or from the configuration file at startup. */
  readonly issuers: readonly IssuerSettings[];
  readonly anonymous?: AnonymousRules;
  readonly apiAudiences: readonly string[];
  /** The issuers of service account tokens, whose name no external issuer may have. */
  readonly disallowedIssuers: readonly string[];
  readonly clock: Clock;
  readonly onProblem?: (issuer: string, problem: Error) => void;
}

/** Time for new issuers to become ready. */
const READY_MS_MAX = 60_000;

interface Issuer {
  readonly settings: IssuerSettings;
  readonly provider: Provider;
  readonly tokens: IssuerTokens;
}

/** External issuers of tokens, as currently configured. */
export class JwtIssuers {
  readonly #options: JwtIssuersOptions;
  #issuers: readonly Issuer[] = [];
  #lookup: AudienceTokenLookup = () => noOpinion;
  #isClosed = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(options: JwtIssuersOptions) {
    this.#options = options;
    this.#use(options.issuers.map((settings) => this.#open(settings)));
  }

  readonly lookup: AudienceTokenLookup = (token, audiences) => this.#lookup(token, audiences);

  /** Those at startup: a file with others is rejected. */
  get anonymous(): AnonymousRules | undefined {
    return this.#options.anonymous;
  }

  /** Errors of issuers that are not ready; empty when all are. */
  problems(): readonly string[] {
    return this.#issuers
      .filter(({ provider }) => !provider.isReady)
      .map(({ provider }) => provider.problem);
  }

  /**
   * Applies a new configuration file. The previous issuers serve until every new one is ready. An invalid file, or an
   * issuer that is not ready in time, throws and changes nothing.
   */
  reload(text: string): Promise<void> {
    // Sequential, in the order of the file's changes.
    const reloaded = this.#reloading.then(() => this.#apply(text));
    this.#reloading = reloaded.catch(() => {}); // The caller gets the error.
    return reloaded;
  }

  close(): void {
    this.#isClosed = true;
    for (const { provider } of this.#issuers) provider.close();
  }

  async #apply(text: string): Promise<void> {
    const { anonymous, disallowedIssuers, clock } = this.#options;
    const configuration = parseAuthenticationConfiguration(text, disallowedIssuers);
    if (!isDeepStrictEqual(configuration.anonymous, anonymous)) {
      const problem = fieldError.forbidden(
        root('anonymous'),
        'changed from initial configuration file',
      );
      throw new Error(aggregateText([problem]));
    }
    const previous = this.#issuers;
    const byKey = new Map(previous.map((issuer) => [keyOf(issuer.settings), issuer]));
    const next = configuration.issuers.map(
      (settings) => byKey.get(keyOf(settings)) ?? this.#open(settings),
    );
    const added = next.filter((issuer) => !previous.includes(issuer));
    try {
      await allReady(added, clock);
    } catch (error) {
      for (const { provider } of added) provider.close();
      throw error;
    }
    this.#use(next);
    const removed = previous.filter((issuer) => !next.includes(issuer));
    for (const { provider } of this.#isClosed ? next : removed) provider.close();
  }

  #use(issuers: readonly Issuer[]): void {
    this.#issuers = issuers;
    this.#lookup = audienceAgnostic(this.#options.apiAudiences, byIssuer(issuers));
  }

  #open(settings: IssuerSettings): Issuer {
    const { clock, onProblem } = this.#options;
    const report = (problem: Error) => onProblem?.(settings.url, problem);
    const provider = new Provider({ settings, clock, onProblem: report });
    const tokens = issuerTokens({ settings, provider, nowMs: () => clock.nowMs() });
    return { settings, provider, tokens };
  }
}

/** Decodes a token once for all issuers. Tokens of unknown issuers are left to other authenticators. */
function byIssuer(issuers: readonly Issuer[]) {
  const byUrl = new Map(issuers.map(({ settings, tokens }) => [settings.url, tokens]));
  return (token: string) => {
    const unverified = byUrl.size === 0 ? undefined : readUnverified(token);
    if (unverified === undefined) return noOpinion;
    return byUrl.get(issuerOf(unverified))?.(token, unverified) ?? noOpinion;
  };
}

/** Issuers with unchanged settings keep their keys. */
function keyOf({ requiredClaims, ...settings }: IssuerSettings): string {
  return JSON.stringify([settings, [...requiredClaims]]);
}

async function allReady(issuers: readonly Issuer[], clock: Clock): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const cancel = clock.schedule(READY_MS_MAX, () => {
    const missing = issuers.filter(({ provider }) => !provider.isReady);
    const texts = missing.map(
      ({ settings, provider }) =>
        `oidc: authenticator for issuer "${settings.url}" is not healthy: ${provider.problem}`,
    );
    reject(new Error(texts.join(', ')));
  });
  try {
    await Promise.race([late, Promise.all(issuers.map(({ provider }) => provider.ready))]);
  } finally {
    cancel();
  }
}
