import { isDeepStrictEqual } from 'node:util';
import { aggregateText, fieldError, root } from '@tributary/apimachinery';
import type { Clock } from '@tributary/storage';
import { type AudienceTokenLookup, audienceAgnostic, noOpinion } from '../token-lookup.ts';
import { readUnverified } from '../unverified-token.ts';
import { type AnonymousRules, parseAuthenticationConfiguration } from './configuration.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import { type IssuerTokens, issuerOf, issuerTokens } from './issuer-tokens.ts';
import { openProvider, type Provider } from './provider.ts';

export interface JwtIssuersOptions {
  /** Of the flags, or of the file as it is at the start. */
  readonly issuers: readonly IssuerSettings[];
  readonly anonymous?: AnonymousRules;
  readonly apiAudiences: readonly string[];
  /** Those of service accounts: no outsider may speak in their name. */
  readonly disallowedIssuers: readonly string[];
  readonly clock: Clock;
  readonly onProblem?: (issuer: string, problem: Error) => void;
}

/** Outside issuers of tokens, as they are configured now. */
export interface JwtIssuers {
  readonly lookup: AudienceTokenLookup;
  /** Those of the start: a file that has others is refused. */
  readonly anonymous: AnonymousRules | undefined;
  /** Why issuers are not ready yet; empty when all are. */
  problems(): readonly string[];
  /**
   * Takes a new text of the file. Until every new issuer has answered the old ones serve; what is wrong with the text,
   * or an issuer that stays silent, is thrown and changes nothing.
   */
  reload(text: string): Promise<void>;
  close(): void;
}

/** How long new issuers may take to answer for the first time. */
const READY_MS_MAX = 60_000;

interface Issuer {
  readonly settings: IssuerSettings;
  readonly provider: Provider;
  readonly tokens: IssuerTokens;
}

export function openJwtIssuers(options: JwtIssuersOptions): JwtIssuers {
  const { clock, apiAudiences, disallowedIssuers, onProblem } = options;
  const open = (settings: IssuerSettings): Issuer => {
    const report = (problem: Error) => onProblem?.(settings.url, problem);
    const provider = openProvider({ settings, clock, onProblem: report });
    const tokens = issuerTokens({ settings, provider, nowMs: () => clock.nowMs() });
    return { settings, provider, tokens };
  };
  const stateOf = (issuers: readonly Issuer[]) => ({
    issuers,
    lookup: audienceAgnostic(apiAudiences, byIssuer(issuers)),
  });
  let current = stateOf(options.issuers.map(open));
  let closed = false;
  let turn: Promise<void> = Promise.resolve();

  const change = async (text: string): Promise<void> => {
    const wanted = parseAuthenticationConfiguration(text, disallowedIssuers);
    if (!isDeepStrictEqual(wanted.anonymous, options.anonymous)) {
      const problem = fieldError.forbidden(
        root('anonymous'),
        'changed from initial configuration file',
      );
      throw new Error(aggregateText([problem]));
    }
    const before = new Map(current.issuers.map((one) => [identityOf(one.settings), one]));
    const next = wanted.issuers.map((one) => before.get(identityOf(one)) ?? open(one));
    const added = next.filter((one) => !current.issuers.includes(one));
    try {
      await allReady(added, clock);
    } catch (error) {
      for (const { provider } of added) provider.close();
      throw error;
    }
    const gone = current.issuers.filter((one) => !next.includes(one));
    current = stateOf(next);
    for (const { provider } of closed ? next : gone) provider.close();
  };

  return {
    lookup: (token, audiences) => current.lookup(token, audiences),
    anonymous: options.anonymous,
    problems: () =>
      current.issuers
        .filter(({ provider }) => !provider.isReady)
        .map(({ provider }) => provider.problem),
    reload(text) {
      // One after the other, in the order of the file's changes.
      const mine = turn.then(() => change(text));
      turn = mine.catch(() => {}); // whoever asked for it is told
      return mine;
    },
    close() {
      closed = true;
      for (const { provider } of current.issuers) provider.close();
    },
  };
}

/** A token is read once, however many issuers there are. Those of others are left to others. */
function byIssuer(issuers: readonly Issuer[]) {
  const byUrl = new Map(issuers.map(({ settings, tokens }) => [settings.url, tokens]));
  return (token: string) => {
    const unverified = byUrl.size === 0 ? undefined : readUnverified(token);
    if (unverified === undefined) return noOpinion;
    return byUrl.get(issuerOf(unverified))?.(token, unverified) ?? noOpinion;
  };
}

/** Issuers that did not change keep the keys that they have. */
function identityOf({ requiredClaims, ...settings }: IssuerSettings): string {
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
