import { parseGoDuration } from '@tributary/apimachinery';
import { type BackendLimits, defaultBackendLimits } from '@tributary/proxy';
import { annotations } from './registration.ts';

/** The values of an APIService's annotations; an invalid one is treated as absent. */
export interface AnnotationValues {
  readonly url: URL | undefined;
  readonly limits: BackendLimits;
  readonly forwardsToken: boolean;
  readonly problems: readonly AnnotationProblem[];
}

export interface AnnotationProblem {
  readonly annotation: string;
  readonly value: string;
  /** Describes the error, for a person. */
  readonly detail: string;
}

const URL_FORM = /^https:\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?\/?$/;
const HOST_CHARACTERS_MAX = 253;
const WHOLE_NUMBER = /^[1-9][0-9]{0,15}$/;

export function decodeAnnotations(
  given: Readonly<Record<string, string>> | undefined,
): AnnotationValues {
  if (given === undefined) return NONE;
  const problems: AnnotationProblem[] = [];
  const read = <T>(annotation: string, parse: (value: string) => Parsed<T>): T | undefined => {
    const value = Object.hasOwn(given, annotation) ? given[annotation] : undefined;
    if (value === undefined) return undefined;
    const parsed = parse(value);
    if ('value' in parsed) return parsed.value;
    problems.push({ annotation, value, detail: parsed.detail });
    return undefined;
  };
  const standard = defaultBackendLimits;
  return {
    url: read(annotations.url, parseUrl),
    limits: {
      requestsInFlightMax:
        read(annotations.requestsInFlightMax, parseLimit) ?? standard.requestsInFlightMax,
      watchesMax: read(annotations.watchesMax, parseLimit) ?? standard.watchesMax,
      bytesPerSecondMax:
        read(annotations.bytesPerSecondMax, parseLimit) ?? standard.bytesPerSecondMax,
      requestsPerSecondMax:
        read(annotations.requestsPerSecondMax, parseLimit) ?? standard.requestsPerSecondMax,
      requestTimeoutMs: read(annotations.requestTimeout, parseTimeout) ?? standard.requestTimeoutMs,
    },
    forwardsToken: read(annotations.forwardsToken, parseChoice) ?? false,
    problems,
  };
}

const NONE: AnnotationValues = {
  url: undefined,
  limits: defaultBackendLimits,
  forwardsToken: false,
  problems: [],
};

type Parsed<T> = { readonly value: T } | { readonly detail: string };

/** Checks the form before the URL parser, which accepts more than other programs do. */
function parseUrl(text: string): Parsed<URL> {
  const detail = 'must be https://HOST or https://HOST:PORT, without a path, a query or a user';
  if (!URL_FORM.test(text) || !URL.canParse(text)) return { detail };
  const url = new URL(text);
  if (url.hostname.length > HOST_CHARACTERS_MAX || url.port === '0') return { detail };
  return { value: url };
}

function parseLimit(text: string): Parsed<number> {
  const value = Number(text);
  if (WHOLE_NUMBER.test(text) && Number.isSafeInteger(value)) return { value };
  return { detail: `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}` };
}

const TIMEOUT_MS_MAX = 60 * 60 * 1000;

function parseTimeout(text: string): Parsed<number> {
  const parsed = parseGoDuration(text);
  const isGood = parsed.ok && parsed.milliseconds >= 1 && parsed.milliseconds <= TIMEOUT_MS_MAX;
  if (isGood) return { value: Math.ceil(parsed.milliseconds) };
  return { detail: 'must be a duration from 1ms to 1h, such as 10s' };
}

function parseChoice(text: string): Parsed<boolean> {
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { detail: 'must be "true" or "false"' };
}
