/** The options of a request for logs. */
import {
  badRequest,
  type FieldError,
  fieldError,
  goQuote,
  invalid,
  parseTime,
  root,
} from '@tributary/apimachinery';

const NUMBERS = ['sinceSeconds', 'tailLines', 'limitBytes'] as const;
const FLAGS = ['follow', 'previous', 'timestamps'] as const;
const TWO_TIMES = 'at most one of `sinceTime` or `sinceSeconds` may be specified';

export interface LogOptions {
  readonly container: string;
  /** The query for the kubelet. */
  readonly query: string;
}

/** Throws 400 for values that cannot be parsed, 422 for values that are not valid together. */
export function parseLogOptions(query: URLSearchParams, pod: string): LogOptions {
  const numbers = new Map<string, bigint>();
  for (const name of NUMBERS) {
    const text = query.get(name);
    if (text !== null) numbers.set(name, parseInteger(text));
  }
  const sinceTime = query.get('sinceTime');
  const errors = validate(query, numbers);
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
  const requested = new URLSearchParams();
  for (const name of FLAGS) if (isTrue(query.get(name))) requested.set(name, 'true');
  for (const [name, value] of numbers) requested.set(name, String(value));
  if (sinceTime !== null) requested.set('sinceTime', requireTime(sinceTime));
  requested.sort();
  return { container: query.get('container') ?? '', query: requested.toString() };
}

function validate(query: URLSearchParams, numbers: ReadonlyMap<string, bigint>): FieldError[] {
  const [tail, bytes, seconds] = [
    numbers.get('tailLines'),
    numbers.get('limitBytes'),
    numbers.get('sinceSeconds'),
  ];
  const errors: FieldError[] = [];
  if (tail !== undefined && tail < 0n) {
    errors.push(fieldError.invalid(root('tailLines'), tail, 'must be greater than or equal to 0'));
  }
  if (bytes !== undefined && bytes < 1n) {
    errors.push(fieldError.invalid(root('limitBytes'), bytes, 'must be greater than 0'));
  }
  if (seconds !== undefined && query.has('sinceTime')) {
    errors.push(fieldError.forbidden(root('[]'), TWO_TIMES));
  } else if (seconds !== undefined && seconds < 1n) {
    errors.push(fieldError.invalid(root('sinceSeconds'), seconds, 'must be greater than 0'));
  }
  if (query.has('stream')) {
    errors.push(fieldError.forbidden(root('stream'), 'may not be specified'));
  }
  return errors;
}

function parseInteger(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  }
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) === value) return value;
  throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
}

function requireTime(text: string): string {
  if (parseTime(text).ok) return text;
  throw badRequest(
    `parsing time ${goQuote(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${goQuote(text)} as "2006"`,
  );
}

/** All other values are true, as for every boolean query parameter of Kubernetes. */
function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
